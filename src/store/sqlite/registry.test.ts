import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { emptyFolder } from '../../../test/support/folder.ts'
import { startStoreProcess } from '../../../test/support/store-process.ts'
import { openStore } from '../open-store.ts'
import { StoreUnusableError } from '../store.ts'
import { openDatabase } from './driver.ts'

async function storeFolder(t: TestContext) {
  const folder = await emptyFolder(t)
  await (await openStore(`sqlite:${folder}`)).close()
  return { folder, registry: join(folder, 'registry.sqlite') }
}

async function isRefused(folder: string, reason: RegExp): Promise<void> {
  await assert.rejects(openStore(`sqlite:${folder}`), (error: Error) => {
    assert.ok(error instanceof StoreUnusableError, String(error))
    assert.match(error.message, reason)
    assert.doesNotMatch(error.message, /\n/)
    return true
  })
}

test('a registry of a newer version is refused and left as it is', async t => {
  const { folder, registry } = await storeFolder(t)
  const database = openDatabase(registry)
  database.exec('pragma file.user_version = 99')
  database.close()
  const before = await readFile(registry)
  await isRefused(folder, /newer version of the service \(schema 99, this one knows \d+\): run that version/)
  assert.deepEqual(await readFile(registry), before)
})

test('a registry that is not a database is refused by name, with what to do', async t => {
  const { folder, registry } = await storeFolder(t)
  await writeFile(registry, 'not a database, but long enough to be looked at. '.repeat(100))
  await isRefused(folder, /registry\.sqlite is not a database: restore it from a backup, or move/)
})

test('a registry cut short is refused by name, with what to do', async t => {
  const { folder, registry } = await storeFolder(t)
  await truncate(registry, 4096)
  await isRefused(
    folder,
    /registry\.sqlite (is damaged|is not a database): restore it from a backup, or move/,
  )
})

test("another program's database is refused and left as it is", async t => {
  const folder = await emptyFolder(t)
  const database = openDatabase(join(folder, 'registry.sqlite'))
  database.exec('create table file.theirs (a)')
  database.close()
  const before = await readFile(join(folder, 'registry.sqlite'))
  await isRefused(folder, /another program's database, or damaged: set DATABASE_URL to another folder/)
  assert.deepEqual(await readFile(join(folder, 'registry.sqlite')), before)
})

test('a folder on a disk that is mounted read-only can be read; each write says what to do', async t => {
  const { folder } = await storeFolder(t)
  const run = promisify(execFile)
  try {
    await run('mount', ['--bind', folder, folder])
  } catch {
    return t.skip('nothing can be mounted here: it takes Linux and root (mount --bind)')
  }
  try {
    await run('mount', ['-o', 'remount,bind,ro', folder])
    const store = await openStore(`sqlite:${folder}`)
    assert.equal(await store.releases.revision(), 0)
    assert.deepEqual(await store.readings.keptHistory(), [])
    const says =
      /is on a disk that is mounted read-only: mount it for writing, or set DATABASE_URL to another folder$/
    assert.match(store.degraded()[0]?.detail ?? '', says)
    await assert.rejects(store.releases.stage('toilets', { kind: 'documents' }), says)
    await assert.rejects(store.readings.saveHistory([]), says)
    assert.equal(await store.releases.sweep(), 0)
    await store.close()
    await isRefused(join(folder, 'releases'), /mounted read-only/)
  } finally {
    await run('umount', [folder])
  }
})

test('processes that open a new folder at once all get it', async t => {
  const folder = await emptyFolder(t)
  const others = [1, 2, 3].map(() => startStoreProcess(t, 'open at the next input', `sqlite:${folder}`))
  for (const other of others) assert.equal(await other.nextLine(), 'ready')
  for (const other of others) other.child.stdin.write('go\n')
  for (const other of others) assert.equal(await other.nextLine(), 'revision 0')
})
