import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { emptyFolder } from '../../../test/support/folder.ts'
import { startStoreProcess } from '../../../test/support/store-process.ts'
import { openStore } from '../open-store.ts'
import { openDatabase } from './driver.ts'

async function storeFolder(t: TestContext) {
  const folder = await emptyFolder(t)
  await (await openStore(`sqlite:${folder}`)).close()
  return { folder, registry: join(folder, 'registry.sqlite') }
}

const isRefused = (folder: string, message: RegExp) =>
  assert.rejects(openStore(`sqlite:${folder}`), { name: 'StoreUnusableError', message })

test('a registry of a newer version is refused and left as it is', async t => {
  const { folder, registry } = await storeFolder(t)
  const database = openDatabase(registry)
  database.exec('pragma file.user_version = 99')
  database.close()
  const before = await readFile(registry)
  await isRefused(
    folder,
    /^.*newer version of the service \(schema 99, this one knows \d+\): run that version.*$/,
  )
  assert.deepEqual(await readFile(registry), before)
})

test("another program's database is refused and left as it is", async t => {
  const folder = await emptyFolder(t)
  const database = openDatabase(join(folder, 'registry.sqlite'))
  database.exec('create table file.theirs (a)')
  database.close()
  const before = await readFile(join(folder, 'registry.sqlite'))
  await isRefused(folder, /^.*another program's database, or damaged: set DATABASE_URL to another folder.*$/)
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
    await isRefused(join(folder, 'releases'), /^.*mounted read-only.*$/)
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
