import { Readable } from 'node:stream'
import { vehicles } from '../../src/datasets/vehicles/index.ts'
import { ISLAND_NAME } from '../../src/demo/island-facts.ts'
import { importDataset } from '../../src/releases/import.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Release, Staging, Store } from '../../src/store/store.ts'
import { vehiclesSource } from '../vehicles-source.ts'

/** How long each phase of an import took. */
export interface Phases {
  readonly release: Release
  readonly phases: readonly (readonly [name: string, seconds: number])[]
}

/** Imports so many synthetic vehicles, as `pds import` does, and tells how long each phase took. */
export async function importVehicles(address: string, rows: number): Promise<Phases> {
  const store = await openStore(address)
  const phases: [string, number][] = []
  const began = performance.now()
  let last = began
  const note = (name: string) => {
    const now = performance.now()
    phases.push([name, (now - last) / 1000])
    last = now
  }
  try {
    const report = await importDataset({
      store: timed(store, note),
      dataset: vehicles,
      input: Readable.from(bytes(vehiclesSource({ rows })), { objectMode: false }),
      source: ISLAND_NAME,
      synthetic: true,
    })
    if (report.outcome === 'refused') throw new Error(`the vehicles were refused: ${report.reason}`)
    const release = await store.current(vehicles.name)
    if (release === undefined) throw new Error('the vehicles were not published')
    return { release, phases: [...phases, ['all', (performance.now() - began) / 1000]] }
  } finally {
    await store.close()
  }
}

/** The store with a note taken whenever a release has come a step further. */
function timed(store: Store, note: (name: string) => void): Store {
  return {
    ...store,
    async stage(...asked) {
      const staging: Staging = await store.stage(...asked)
      return {
        ...staging,
        async seal(...given) {
          note('making, reading, checking and sending')
          const sealed = await staging.seal(...given)
          note('sealing: order, indexes, counts')
          return sealed
        },
        async publish(details) {
          note('comparing')
          const release = await staging.publish(details)
          note('publishing')
          return release
        },
      }
    },
  }
}

function* bytes(pieces: Iterable<string>): Generator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece)
}
