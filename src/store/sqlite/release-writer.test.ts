import assert from 'node:assert/strict'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyFolder } from '../../../test/support/folder.ts'
import { agePruned } from '../../../test/support/pruned-releases.ts'
import { temporaryStore } from '../../../test/support/service.ts'
import { startStoreProcess } from '../../../test/support/store-process.ts'
import { allRecords, publishAll, VEHICLES, vehicles } from '../../../test/support/stored-vehicles.ts'
import { openStore } from '../open-store.ts'

test('what a killed import left goes, what is published and what is not of the store stays', async t => {
  const folder = await emptyFolder(t)
  const store = await temporaryStore(t, `sqlite:${folder}`)
  const release = await publishAll(store, 'vehicles', VEHICLES, vehicles(20))

  const killed = startStoreProcess(t, 'stage a record', `sqlite:${folder}`)
  assert.equal(await killed.nextLine(), 'appended')
  assert.equal(await store.releases.sweep(), 0, 'an import is under way')
  await killed.kill('SIGKILL')

  const releases = join(folder, 'releases', 'vehicles')
  await writeFile(join(releases, `3.table.${killed.child.pid}-01234567.tmp`), 'half')
  // From an import that was killed between the rename and the registration.
  await writeFile(join(releases, '2.table'), 'half')
  await writeFile(join(releases, 'notes.txt'), 'of the operator')
  await mkdir(join(folder, 'releases', 'toilets'))

  assert.equal(await store.releases.sweep(), 1)
  assert.deepEqual((await readdir(releases)).sort(), ['1.table', '2.table', 'notes.txt'])
  assert.equal(await store.releases.sweep(), 0)
  const opened = await store.releases.open(release, VEHICLES)
  assert.equal((await allRecords(opened)).length, 20)
})

test('the file of a pruned release stays for its readers, and goes once it was pruned long ago', async t => {
  const folder = await emptyFolder(t)
  const store = await temporaryStore(t, `sqlite:${folder}`)
  for (let rows = 1; rows <= 6; rows++) await publishAll(store, 'vehicles', VEHICLES, vehicles(rows))
  const releases = join(folder, 'releases', 'vehicles')
  assert.equal(await store.releases.sweep(), 0)
  assert.ok((await readdir(releases)).includes('1.table'))
  agePruned(folder)
  assert.equal(await store.releases.sweep(), 1)
  assert.deepEqual(
    (await readdir(releases)).sort(),
    [2, 3, 4, 5, 6].map(number => `${number}.table`),
  )
})

test('releases outlive the loss of the registry that knew them', async t => {
  const folder = await emptyFolder(t)
  const first = await openStore(`sqlite:${folder}`)
  await publishAll(first, 'vehicles', VEHICLES, vehicles(3))
  await first.close()
  for (const file of await readdir(folder)) if (file.startsWith('registry')) await rm(join(folder, file))
  const store = await temporaryStore(t, `sqlite:${folder}`)
  assert.equal(await store.releases.sweep(), 0)
  assert.deepEqual(await readdir(join(folder, 'releases', 'vehicles')), ['1.table'])
})

test('a release whose publishing was cut short does not stand in the way of the next', async t => {
  const folder = await emptyFolder(t)
  const store = await temporaryStore(t, `sqlite:${folder}`)
  await mkdir(join(folder, 'releases', 'vehicles'))
  await writeFile(join(folder, 'releases', 'vehicles', '1.table'), 'half')
  const release = await publishAll(store, 'vehicles', VEHICLES, vehicles(3))
  const opened = await store.releases.open(release, VEHICLES)
  assert.equal((await allRecords(opened)).length, 3)
})
