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

/** Imports that fill the disk: the number of vehicles, the disk space used before, and when the disk is full. */
const IMPORTS = [
  { count: 70_000, taken: 0, full: 'while records are added' },
  { count: 25_000, taken: 0, full: 'while the release is built' },
  { count: 2000, taken: 5 << 20, full: 'nearly from the start' },
]

for (const { count, taken, full } of IMPORTS)
  test(`a disk that is full ${full} ends an import with a clear message and leaves the current release`, async t => {
    const disk = await mountSmallDisk(6)
    if (disk === undefined) return t.skip(NO_SMALL_DISK)
    try {
      await fillDisk(disk.folder, count, taken)
    } finally {
      await disk.remove()
    }
  })

async function fillDisk(folder: string, count: number, taken: number): Promise<void> {
  const store = await openStore(`sqlite:${folder}`)
  const release = await publishAll(store, 'vehicles', VEHICLES, vehicles(2000))
  const releases = join(folder, 'releases', 'vehicles')
  const served = await readFile(join(releases, '1.sqlite'))
  await mkdir(join(folder, 'other'))
  await writeFile(join(folder, 'other', 'program'), Buffer.alloc(taken))

  const staging = await store.releases.stage('vehicles', VEHICLES)
  await assert.rejects(appendAll(staging, vehicles(count, 7)), (error: Error) => {
    assert.ok(error instanceof StoreUnusableError, String(error))
    assert.match(error.message, /the disk is full: free some space and try again/)
    return true
  })
  await assert.rejects(
    async () => staging.append('key', vehicles(1)[0] ?? {}),
    StoreUnusableError,
    'nothing can be added',
  )
  await assert.rejects(staging.seal(), StoreUnusableError, 'nor can what is left be published')
  await staging.discard()
  assert.deepEqual(await readdir(releases), ['1.sqlite'])
  assert.deepEqual(await readFile(join(releases, '1.sqlite')), served)
  const opened = await store.releases.open(release, VEHICLES)
  assert.equal((await allRecords(opened)).length, 2000)
  await opened.close()

  await rm(join(folder, 'other'), { recursive: true })
  assert.equal((await publishAll(store, 'vehicles', VEHICLES, vehicles(100))).number, 2)
  await store.close()
}
