import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { temporaryStore } from '../../../test/support/service.ts'
import { ENGINES } from '../../../test/support/store-engines.ts'
import { toilets } from '../../datasets/toilets/index.ts'
import { vehicles } from '../../datasets/vehicles/index.ts'
import { importDataset } from '../import/import.ts'
import type { Importable } from '../import/importable.ts'
import { type DiffOptions, withDiff } from './diff.ts'

const HEADER = 'make,model,color,firstRegisteredAt,firstRegisteredInJerseyAt'
const register = (...rows: string[]) => [HEADER, ...rows].join('\n')
const mini = (color: string) => `Mini,One,${color},01/02/2003,01/02/2003`
const ford = (day: string) => `Ford,"Ka, Škoda",Blue,,${day}/03/2004`

const OLD = register(mini('Grey'), mini('Grey'), ford('01'), ford('02'), ford('02'))
const NEW = register(ford('03'), mini('Grey'), ford('02'), mini('Red'), mini('Red'))

const places = (...names: string[]) =>
  JSON.stringify(names.map(name => ({ name, parish: 'Trinity', latitude: 49.2 })))

for (const engine of ENGINES)
  test(`${engine.name}: releases differ from each other as they do from a source, and as the import counted`, async t => {
    const store = await temporaryStore(t, await engine.emptyStore(t))
    const input = (text: string) => Readable.from([Buffer.from(text)])
    const publish = async (dataset: Importable, text: string) => {
      const { release } = await importDataset({
        store,
        dataset,
        source: 'made-up',
        input: input(text),
        force: true,
      })
      return (await store.releases.list(dataset.name)).find(({ number }) => number === release?.number)
    }
    const compare = (dataset: Importable, from: DiffOptions['from'], to: DiffOptions['to']) =>
      withDiff({ store, dataset, from, to }, async ({ differences, to }) => {
        const { counts, ...lists } = differences
        const [added, removed, changed]: unknown[][] = [[], [], []]
        for await (const record of lists.added()) added?.push(record)
        for await (const record of lists.removed()) removed?.push(record)
        for await (const change of lists.changed()) changed?.push(change)
        return { counts, hash: to.hash, added, removed, changed }
      })

    for (const [dataset, before, after] of [
      [vehicles, OLD, NEW],
      [toilets, places('Mill', 'Hill'), places('Bay', 'Mill')],
    ] as const) {
      const from = (await publish(dataset, before)) ?? assert.fail()
      const againstSource = await compare(dataset, from, { source: 'new', input: input(after) })
      const to = (await publish(dataset, after)) ?? assert.fail()
      const againstRelease = await compare(dataset, from, to)
      assert.deepEqual(againstRelease.counts, to.changes)
      const isDated = dataset.identity.kind === 'uuid'
      // A new id is first seen at each of the two readings.
      if (!isDated) assert.equal(againstSource.hash, to.hash)
      assert.deepEqual(againstSource.counts, to.changes)
      const inAnyOrder = ({ added, removed, changed }: typeof againstRelease) =>
        [added, removed, changed].map(list =>
          (list ?? []).map(one => JSON.stringify(one).replace(/"createdAt":"[^"]*"/g, '')).sort(),
        )
      assert.deepEqual(inAnyOrder(againstSource), inAnyOrder(againstRelease))
    }
  })
