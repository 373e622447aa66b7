import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync } from 'node:fs'
import { readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { Agent } from 'undici'
import { emptyFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { toiletsOf } from '../support/numbered-releases.ts'
import { startPds } from '../support/pds.ts'
import { seriesOf } from '../support/series.ts'
import { ask, type LogLine } from '../support/serving.ts'
import { kill, makeSite, type Site } from '../support/site.ts'
import { mountSmallDisk, NO_SMALL_DISK } from '../support/small-disk.ts'
import { until } from '../support/until.ts'

const REQUESTS = 2000
/** A line of the log has 200 characters of it. */
const PATH = `/v1/toilets?unknown=${'x'.repeat(200)}`

/** Starts `pds serve` with its log on a descriptor, or on a pipe of its own that nobody reads. */
async function serveWith(t: TestContext, site: Site, stdout: number | 'pipe') {
  const [port, adminPort] = [await freePort(), await freePort()]
  const environment = { PORT: String(port), ADMIN_PORT: String(adminPort) }
  const child = startPds(site.folder, ['serve'], environment, { stdio: ['pipe', stdout, 'pipe'] })
  t.after(() => kill(child))
  const agent = new Agent({ connections: 20 })
  t.after(() => agent.destroy())
  const [url, adminUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${adminPort}`]
  await until(async () => (await ask(agent, `${adminUrl}/readyz`).catch(() => undefined))?.status === 200)
  return {
    child,
    /** Sends all requests; fails unless each is answered. */
    async request(requests = REQUESTS) {
      const answers = await Promise.all(Array.from({ length: requests }, () => ask(agent, url + PATH)))
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    },
    async dropped() {
      const { text } = await ask(agent, `${adminUrl}/metrics`)
      return seriesOf(text).get('pds_log_lines_dropped_total') ?? 0
    },
  }
}

const isRequest = ({ msg }: LogLine) => msg === 'request'

test('requests are served while nobody reads the log; the missing lines are counted, and told to the next reader', async t => {
  const site = await makeSite(t)
  await site.publish('toilets', toiletsOf(1))
  const fifo = join(await emptyFolder(t), 'log')
  execFileSync('mkfifo', [fifo])
  const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(fifo, 'w')
  // When it ends, this process lets writing to the pipe that they share block again.
  const other = spawn(process.execPath, ['-e', 'process.stdin.resume(); process.stdout.fd'], {
    stdio: ['pipe', writer, 'inherit'],
  })
  await once(other, 'spawn')
  const serving = await serveWith(t, site, writer)
  other.stdin?.end()
  await once(other, 'exit')
  closeSync(writer)

  await serving.request()
  const dropped = await serving.dropped()
  assert.ok(dropped > 100, `${dropped} lines are dropped`)

  const lines: LogLine[] = []
  createInterface(new Socket({ fd: reader, readable: true, writable: false })).on('line', line =>
    lines.push(JSON.parse(line)),
  )
  const told = await until(
    () => lines.find(({ event }) => event === 'log-lines-dropped'),
    'the missing lines',
  )
  assert.equal(told.lines, dropped)
  assert.equal(lines.filter(isRequest).length + dropped, REQUESTS)
  assert.equal(await serving.dropped(), dropped)
})

test('a full disk takes no log: requests are served, lines dropped and counted until there is space', async t => {
  const disk = await mountSmallDisk(1)
  if (disk === undefined) return t.skip(NO_SMALL_DISK)
  t.after(() => disk.remove())
  const site = await makeSite(t)
  await site.publish('toilets', toiletsOf(1))
  const other = join(disk.folder, 'other')
  const log = join(disk.folder, 'log')
  const { bfree, bsize } = await statfs(disk.folder)
  await writeFile(other, Buffer.alloc((bfree - 4) * bsize))
  const file = openSync(log, 'a')
  const serving = await serveWith(t, site, file)
  closeSync(file)

  await serving.request()
  const dropped = await serving.dropped()
  assert.ok(dropped > 100, `${dropped} lines are dropped`)

  await rm(other)
  const lines = await until(async () => {
    const written = await readFile(log, 'utf8')
    return written.includes('log-lines-dropped') && written.trim().split('\n')
  }, 'the missing lines')
  const told = lines.map(line => JSON.parse(line)).find(({ event }) => event === 'log-lines-dropped')
  assert.equal(told.lines, dropped)
})

test('a service whose log nobody reads stops as any other', async t => {
  const site = await makeSite(t)
  await site.publish('toilets', toiletsOf(1))
  const { child, request, dropped } = await serveWith(t, site, 'pipe')
  // The pipe of a child process is a socket, whose buffers take more.
  await request(2 * REQUESTS)
  assert.ok((await dropped()) > 100)
  child.kill('SIGTERM')
  const [status] = await once(child, 'exit')
  assert.equal(status, 0)
})
