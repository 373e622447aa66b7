import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyFolder } from '../../../test/support/folder.ts'
import { openStore } from '../open-store.ts'
import { makeFolders } from './folder.ts'

test('a folder is made with those that it lies in, and what was missing is named', async t => {
  const folder = await emptyFolder(t)
  const [a, b] = [join(folder, 'a'), join(folder, 'a/b')]
  assert.deepEqual(await makeFolders(b), [a, b])
  assert.deepEqual(await makeFolders(b), [])
  assert.deepEqual(await makeFolders(join(b, 'c')), [join(b, 'c')])
})

test('a folder below one in which none can be made is an error, not an endless loop', async () => {
  await assert.rejects(makeFolders('/proc/nothing/below'), { code: 'ENOENT' })
})

test('a new store in which nothing was written goes with its folder when it is closed', async t => {
  const folder = join(await emptyFolder(t), 'new')
  await (await openStore(`sqlite:${folder}`, { discardUnused: true })).close()
  assert.equal(existsSync(folder), false)
  await (await openStore(`sqlite:${folder}`)).close()
  await (await openStore(`sqlite:${folder}`, { discardUnused: true })).close()
  assert.ok(existsSync(join(folder, 'registry.sqlite')), 'a store that was there stays')
})

test('a new store stays where another process has opened it, or a reading was saved', async t => {
  const folder = await emptyFolder(t)
  const shared = `sqlite:${join(folder, 'shared')}`
  const first = await openStore(shared, { discardUnused: true })
  const second = await openStore(shared)
  await first.close()
  const observation = { timestamp: '2026-01-01T00:00:00.000Z', entries: [] }
  await second.readings.saveObservation(observation)
  await second.close()
  const saved = await openStore(shared, { mustExist: true })
  assert.equal((await saved.readings.latestObservation())?.timestamp, observation.timestamp)
  await saved.close()

  const used = `sqlite:${join(folder, 'used')}`
  const writer = await openStore(used, { discardUnused: true })
  await writer.readings.saveObservation(observation)
  await writer.close()
  await (await openStore(used, { mustExist: true })).close()
})

test('releases that lie in the folder without a registry are never removed', async t => {
  const folder = await emptyFolder(t)
  await mkdir(join(folder, 'releases/toilets'), { recursive: true })
  await writeFile(join(folder, 'releases/toilets/7.ndjson.gz'), 'all that remains')
  await (await openStore(`sqlite:${folder}`, { discardUnused: true })).close()
  assert.deepEqual(await readdir(folder), ['releases'])
  assert.deepEqual(await readdir(join(folder, 'releases/toilets')), ['7.ndjson.gz'])
})
