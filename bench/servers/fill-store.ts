import { Readable } from 'node:stream'
import { fillIsland } from '../../demo/island.ts'
import { ISLAND_NAME } from '../../demo/island-facts.ts'
import { readConfig } from '../../src/config.ts'
import { DATASETS } from '../../src/datasets/index.ts'
import { vehicles } from '../../src/datasets/vehicles/index.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import { tableOptions } from '../../src/store/engine.ts'
import { openStore } from '../../src/store/open-store.ts'
import { vehiclesSource } from './vehicles-source.ts'

/*
 * Fills a store (first argument, an address) with the synthetic island's datasets and a number of vehicles (second argument).
 * Runs in a separate process, so that its memory is free afterwards. There are two releases of vehicles, the second with one
 * changed vehicle, and the first is made current. Settings of tables, such as TABLE_ENGINE, apply as for `pds import`.
 */

const [address = '', rowsText = '0'] = process.argv.slice(2)
const rows = Number(rowsText)
const store = await openStore(address, { tables: tableOptions(readConfig(process.env)) })
await fillIsland({ store, datasets: DATASETS.filter(({ name }) => name !== vehicles.name) })
if (rows > 0) {
  for (const changed of [false, true]) await publish(changed)
  await store.releases.makeCurrent(vehicles.name, 1)
}
await store.close()

async function publish(changed: boolean): Promise<void> {
  const input = Readable.from(bytes(vehiclesSource({ rows, changed })), { objectMode: false })
  const report = await importDataset({
    store,
    dataset: vehicles,
    input,
    source: ISLAND_NAME,
    synthetic: true,
  })
  if (report.outcome === 'refused') throw new Error(`the vehicles were refused: ${report.reason}`)
}

function* bytes(pieces: Iterable<string>): Generator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece)
}
