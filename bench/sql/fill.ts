import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { vehicles } from '../../src/datasets/vehicles/index.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Release, ReleaseStore, Store } from '../../src/store/store.ts'
import { vehiclesSource } from '../servers/vehicles-source.ts'

/** How long each phase of an import took. */
export interface Phases {
  readonly release: Release
  readonly phases: readonly (readonly [name: string, seconds: number])[]
}

/** Imports `rows` synthetic vehicles from a file, as `pds import` does, and returns how long each phase took. */
export async function importVehicles(address: string, rows: number): Promise<Phases> {
  const folder = await mkdtemp(join(tmpdir(), 'pds-bench-vehicles-'))
  try {
    const source = join(folder, 'vehicles.csv')
    await pipeline(vehiclesSource({ rows }), createWriteStream(source))
    return await importFile(address, source)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function importFile(address: string, source: string): Promise<Phases> {
  const store = await openStore(address, { tables: { engine: 'sql', prerenderBytes: 0 } })
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
      source,
      synthetic: true,
    })
    if (report.outcome === 'refused') throw new Error(`the vehicles were refused: ${report.reason}`)
    const release = await store.releases.current(vehicles.name)
    if (release === undefined) throw new Error('the vehicles were not published')
    return { release, phases: [...phases, ['all', (performance.now() - began) / 1000]] }
  } finally {
    await store.close()
  }
}

/** The store, with a call of `note` after each step of a release. */
function timed(store: Store, note: (name: string) => void): Store {
  const stage: ReleaseStore['stage'] = async (...asked) => {
    const staging = await store.releases.stage(...asked)
    return {
      ...staging,
      async seal(...given) {
        note('reading, checking and sending')
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
  }
  return { ...store, releases: { ...store.releases, stage } }
}
