import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { seededRandom } from '../../../demo/random.ts'
import { emptyFolder } from '../../../test/support/folder.ts'
import { temporaryStore } from '../../../test/support/service.ts'
import { allRecords, publishAll, VEHICLES, vehicles } from '../../../test/support/stored-vehicles.ts'
import { DamagedReleaseError } from '../store.ts'

/* A process of its own: it counts the open files of the process. */

test('every kind of damage to a release is found before it is served', async t => {
  const folder = await emptyFolder(t)
  const store = await temporaryStore(t, `sqlite:${folder}`)
  const good = await publishAll(store, 'vehicles', VEHICLES, vehicles(50))
  const bad = await publishAll(store, 'vehicles', VEHICLES, vehicles(2000))
  const path = join(folder, 'releases', 'vehicles', '2.table')
  const whole = await readFile(path)

  async function isFound(what: string, bytes: Buffer): Promise<void> {
    await writeFile(path, bytes)
    await assert.rejects(store.releases.open(bad, VEHICLES), DamagedReleaseError, what)
  }
  const random = seededRandom(20240311, 'bits')
  for (let round = 0; round < 300; round++) {
    const [byte, bit] = [random.int(0, whole.length - 1), random.int(0, 7)]
    const flipped = Buffer.from(whole)
    flipped[byte] = (flipped[byte] ?? 0) ^ (1 << bit)
    await isFound(`bit ${bit} of byte ${byte}`, flipped)
  }
  const page = 4096 * random.int(0, whole.length / 4096 - 1)
  await isFound('zeroed page', Buffer.from(whole).fill(0, page, page + 4096))
  await isFound('truncation', whole.subarray(0, whole.length - 1))
  await isFound('truncation by half', whole.subarray(0, whole.length / 2))
  await isFound('something appended', Buffer.concat([whole, Buffer.from('x')]))
  await isFound('empty file', Buffer.alloc(0))
  await isFound('text file', Buffer.from('make,model\nLancia,aprilia\n'))
  await rm(path)
  await assert.rejects(store.releases.open(bad, VEHICLES), DamagedReleaseError, 'missing file')
  await assert.rejects(
    store.releases
      .makeCurrent('vehicles', 2)
      .then(() => store.releases.makeCurrent('vehicles', 1))
      .then(() => store.releases.makeCurrent('vehicles', 2)),
    DamagedReleaseError,
  )

  assert.equal((await store.releases.current('vehicles'))?.number, 1)
  const opened = await store.releases.open(good, VEHICLES)
  assert.equal((await allRecords(opened)).length, 50)
  await writeFile(path, whole)
  await store.releases.open(bad, VEHICLES)
})

test('a damaged release is not made current, nor compared with, and a new one can take its place', async t => {
  const folder = await emptyFolder(t)
  const store = await temporaryStore(t, `sqlite:${folder}`)
  const first = await publishAll(store, 'vehicles', VEHICLES, vehicles(5))
  await publishAll(store, 'vehicles', VEHICLES, vehicles(6))
  await writeFile(join(folder, 'releases', 'vehicles', '1.table'), 'not a table')
  await assert.rejects(store.releases.makeCurrent('vehicles', 1), {
    name: 'DamagedReleaseError',
    message: /release 1 of vehicles is damaged: .*go back|import again/,
  })
  assert.equal((await store.releases.current('vehicles'))?.number, 2)
  const staging = await store.releases.stage('vehicles', VEHICLES)
  await staging.seal()
  await assert.rejects(staging.changesSince(first), DamagedReleaseError)
  const changes = { added: 0, changed: 0, removed: 0 }
  const third = await staging.publish({ source: 'x', synthetic: true, changes, firstSeen: new Map() })
  assert.equal(third.number, 3)
})

test('releases lie alone: no journal beside them, written or read, and no file stays open', async t => {
  const folder = await emptyFolder(t)
  const store = await temporaryStore(t, `sqlite:${folder}`)
  const release = await publishAll(store, 'vehicles', VEHICLES, vehicles(500))
  await store.releases.open(release, VEHICLES)
  assert.deepEqual(await readdir(join(folder, 'releases', 'vehicles')), ['1.table'])
  if (process.platform !== 'linux') return t.diagnostic('open files are counted on Linux only')

  const before = (await readdir('/proc/self/fd')).length
  for (let swap = 0; swap < 50; swap++) {
    const reopened = await store.releases.open(release, VEHICLES)
    await reopened.table?.execute({ filters: [], offset: 0, limit: 10 })
  }
  assert.equal((await readdir('/proc/self/fd')).length, before)
})
