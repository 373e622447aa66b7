import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { mountSmallDisk, NO_SMALL_DISK } from '../../../test/support/small-disk.ts'
import {
  allRecords,
  appendAll,
  publishAll,
  VEHICLES,
  vehicles,
} from '../../../test/support/stored-vehicles.ts'
import { openStore } from '../open-store.ts'
import { StoreUnusableError } from '../store.ts'

const NO_CHANGES = { added: 0, changed: 0, removed: 0 }

/** The bytes of another file that leave too little space for an import. */
const TAKEN = { 'for a large release': 0, 'nearly from the start': 5 << 20 }

for (const [full, taken] of Object.entries(TAKEN))
  test(`a disk that is full ${full} ends an import with a clear message and leaves the current release`, async t => {
    const disk = await mountSmallDisk(6)
    if (disk === undefined) return t.skip(NO_SMALL_DISK)
    try {
      await fillDisk(disk.folder, taken)
    } finally {
      await disk.remove()
    }
  })

async function fillDisk(folder: string, taken: number): Promise<void> {
  const store = await openStore(`sqlite:${folder}`)
  const release = await publishAll(store, 'vehicles', VEHICLES, vehicles(2000))
  const releases = join(folder, 'releases', 'vehicles')
  const served = await readFile(join(releases, '1.table'))
  await mkdir(join(folder, 'other'))
  await writeFile(join(folder, 'other', 'program'), Buffer.alloc(taken))

  const staging = await store.releases.stage('vehicles', VEHICLES)
  await appendAll(staging, vehicles(25_000, 7))
  const details = { source: 'x', synthetic: true, firstSeen: new Map(), changes: NO_CHANGES }
  await assert.rejects(staging.publish(details), (error: Error) => {
    assert.ok(error instanceof StoreUnusableError, String(error))
    assert.match(error.message, /the disk is full: free some space and try again/)
    return true
  })
  await staging.discard()
  assert.deepEqual(await readdir(releases), ['1.table'])
  assert.deepEqual(await readFile(join(releases, '1.table')), served)
  const opened = await store.releases.open(release, VEHICLES)
  assert.equal((await allRecords(opened)).length, 2000)

  await rm(join(folder, 'other'), { recursive: true })
  assert.equal((await publishAll(store, 'vehicles', VEHICLES, vehicles(100))).number, 2)
  await store.close()
}
