import assert from 'node:assert/strict'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pastReadings } from '../../../test/support/filled-stores.ts'
import { mountSmallDisk, NO_SMALL_DISK } from '../../../test/support/small-disk.ts'
import { appendAll, publishAll, VEHICLES, vehicles } from '../../../test/support/stored-vehicles.ts'
import { openStore } from '../open-store.ts'
import type { Store } from '../store.ts'

const observation = (n: number) => ({
  timestamp: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
  entries: Array.from({ length: 500 }, (_, code) => ({
    code: `C${code}`,
    name: `Car park ${code}`,
    spaces: n,
    status: 'Open',
    open: true,
  })),
})

/** Writes to the registry; `prepare` first does the part that needs space elsewhere. */
const WRITES: Readonly<Record<string, (store: Store) => Promise<() => Promise<unknown>>>> = {
  async 'a release is published'(store) {
    const staging = await store.releases.stage('vehicles', VEHICLES)
    await appendAll(staging, vehicles(30, 7))
    const changes = { added: 30, changed: 0, removed: 0 }
    // First-seen ids fill the registry as an import of records without ids does.
    const ids = Array.from(
      { length: 5000 },
      (_, id) => [`id of a record ${id}`, new Date().toISOString()] as const,
    )
    return () =>
      staging
        .publish({ source: 'x', synthetic: true, changes, firstSeen: new Map(ids) })
        .finally(staging.discard)
  },
  'history is imported': async store => () => store.readings.saveHistory(pastReadings(100_000)),
  'live readings are saved': async store => async () => {
    for (let n = 0; n < 200; n++) await store.readings.saveObservation(observation(n))
  },
}

for (const [when, prepare] of Object.entries(WRITES))
  test(`a disk that runs full while ${when} is what the error says; nothing is half written, and the store goes on`, async t => {
    const disk = await mountSmallDisk(6)
    if (disk === undefined) return t.skip(NO_SMALL_DISK)
    t.after(() => disk.remove())
    const store = await openStore(`sqlite:${disk.folder}`)
    t.after(() => store.close())
    const write = await prepare(store)
    const other = join(disk.folder, 'other')
    const { bfree, bsize } = await statfs(disk.folder)
    await writeFile(other, Buffer.alloc((bfree - 60) * bsize))

    await assert.rejects(write(), {
      name: 'StoreUnusableError',
      message: /registry\.sqlite cannot grow because the disk is full: free some space and try again/,
    })
    assert.deepEqual(await store.releases.list('vehicles'), [])
    const history = await store.readings.keptHistory()
    const saved = await store.readings.latestObservation()
    // Live readings are stored until one finds no space.
    assert.deepEqual(history.length, saved === undefined ? 0 : 500)
    assert.ok(saved === undefined || saved.entries.length === 500)

    await rm(other)
    await publishAll(store, 'vehicles', VEHICLES, vehicles(10))
    await store.readings.saveObservation(observation(1000))
    assert.equal((await store.readings.latestObservation())?.entries.length, 500)
  })
