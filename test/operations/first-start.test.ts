import assert from 'node:assert/strict'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { openDatabase } from '../../src/store/sqlite/driver.ts'
import { registryPath } from '../../src/store/sqlite/folder.ts'
import { emptyFolder } from '../support/folder.ts'
import { toiletsOf } from '../support/numbered-releases.ts'
import { pds, startPds } from '../support/pds.ts'
import { kill } from '../support/site.ts'
import { until } from '../support/until.ts'

const noProc = process.platform !== 'linux' && 'which files a process holds open is read from /proc (Linux)'

/** Whether a process has opened the file. */
async function hasOpened(file: string, { pid }: ChildProcessWithoutNullStreams): Promise<boolean> {
  const folder = `/proc/${pid}/fd`
  const links = (await readdir(folder)).map(name => readlink(join(folder, name)).catch(() => ''))
  return (await Promise.all(links)).includes(file)
}

/** Waits until the process ends; one that serves is told to as soon as it listens. */
async function ended(child: ChildProcessWithoutNullStreams) {
  child.stdout.on('data', (lines: Buffer) => lines.includes('"listening"') && child.kill('SIGTERM'))
  const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { status, stderr }
}

test('servers and commands that start at once on an empty store all get it', { skip: noProc }, async t => {
  const folder = await emptyFolder(t)
  const data = join(folder, 'data')
  await mkdir(data)
  const registry = registryPath(data)
  // Held up here, all of them find an empty store before the first of them makes its tables.
  const lock = openDatabase(registry)
  lock.exec('pragma file.journal_mode = wal; begin immediate')

  const commands = [['serve'], ['serve'], ['serve'], ['migrate'], ['import', 'toilets', '-']]
  const children = commands.map(words => startPds(folder, words, { PORT: '0', ADMIN_PORT: '0' }))
  for (const child of children) t.after(() => kill(child))
  for (const child of children) child.stdin.end(JSON.stringify(toiletsOf(1)))
  const ends = children.map(ended)
  for (const child of children)
    await until(() => hasOpened(`${registry}-wal`, child), 'every process having read the registry')
  lock.close()
  for (const { status, stderr } of await Promise.all(ends)) {
    assert.equal(status, 0, stderr)
    assert.doesNotMatch(stderr, /error|bug/)
  }
  assert.match((await pds(folder, ['releases', 'toilets'])).stdout, /^1 /m)
})
