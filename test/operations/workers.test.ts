import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { Agent } from 'undici'
import { TOILETS } from '../support/island.ts'
import { limitMemory, NO_MEMORY_LIMIT } from '../support/memory-limit.ts'
import { answers, entry, payload, startUpstream } from '../support/misbehaving-upstream.ts'
import { pds } from '../support/pds.ts'
import { type Answer, ask, type LogLine, type Serving } from '../support/serving.ts'
import { makeSite, type Site } from '../support/site.ts'
import { until } from '../support/until.ts'

const ROLLS = 3
const CLIENTS = 8

/** Asks once on a connection of its own. */
async function askAnew(url: string): Promise<Answer> {
  const agent = new Agent()
  return ask(agent, url).finally(() => agent.destroy())
}

/** The process ids of the workers that run now. */
async function workersOf({ child }: Serving): Promise<number[]> {
  const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  return children.trim().split(' ').filter(Boolean).map(Number)
}

const untilWorkers = (serving: Serving, are: (pids: number[]) => boolean) =>
  until(async () => {
    const { text } = await serving.admin('/readyz')
    const pids = await workersOf(serving)
    return JSON.parse(text).ready && !text.includes('workers') && are(pids) && pids
  }, 'the workers')

const areTwo = (pids: number[]) => pids.length === 2

async function serveByTwo(site: Site, environment: Readonly<Record<string, string>> = {}): Promise<Serving> {
  await site.publish('toilets', TOILETS)
  const serving = await site.serve({ WORKERS: '2', ...environment })
  await untilWorkers(serving, areTwo)
  return serving
}

/** Asks until it is stopped, each time on a kept connection unless that was closed. Gives the number of answers. */
function startAsking(url: string): { stop(): Promise<number> } {
  let isOver = false
  const clients = Array.from({ length: CLIENTS }, async () => {
    const agent = new Agent({ connections: 1 })
    let count = 0
    for (; !isOver; count++) assert.equal((await ask(agent, `${url}/v1/toilets`)).status, 200)
    await agent.destroy()
    return count
  })
  for (const client of clients) client.catch(() => {})
  return {
    async stop() {
      isOver = true
      return (await Promise.all(clients)).reduce((sum, count) => sum + count, 0)
    },
  }
}

const events = (log: readonly LogLine[], event: string) => log.filter(line => line.event === event)

test('two workers share the port, the feed and one scrape', async t => {
  const site = await makeSite(t)
  const feed = await startUpstream(answers(payload([entry('HARBST', 7)], new Date().toISOString())))
  t.after(() => feed.close())
  const serving = await serveByTwo(site, { LIVE_FEED_URL: feed.url })
  const url = `${serving.url}/v1/carparks/live-spaces`
  for (let time = 0; time < 20; time++) {
    const { status, text } = await askAnew(url)
    assert.deepEqual([status, JSON.parse(text).results[0].spaces], [200, 7])
  }
  const asked = () => serving.log.filter(line => JSON.stringify(line).includes('live-spaces'))
  await until(() => asked().length === 20, 'the log of all requests')
  assert.equal(new Set(asked().map(({ pid }) => pid)).size, 2)
  assert.equal(feed.requests.length, 1)
  assert.equal(events(serving.log, 'feed-leading').length, 1)
  const { text } = await serving.admin('/metrics')
  assert.match(text, /^pds_http_requests_total\{route="\/v1\/carparks\/live-spaces",.*\} 20$/m)
  assert.match(text, /^pds_release_number\{dataset="toilets"\} 1$/m)
  assert.match(text, /^pds_workers 2$/m)
  assert.match(text, /^pds_build_info\{version="[\d.]+",node="[\d.]+"\} 1$/m)
  assert.match(text, /^pds_feed_failed_polls 0$/m)
  // That an instance polls for its own workers says nothing about other instances.
  assert.doesNotMatch(text, /^pds_feed_leading \d/m)
})

test('a worker that is killed is replaced; the other goes on, and polls the feed from then on', async t => {
  const site = await makeSite(t)
  const tell = () => answers(payload([entry('HARBST', 7)], new Date().toISOString()))
  const feed = await startUpstream(tell())
  t.after(() => feed.close())
  const serving = await serveByTwo(site, { LIVE_FEED_URL: feed.url, LIVE_FEED_INTERVAL_S: '1' })
  const leader = Number(events(serving.log, 'feed-leading')[0]?.pid)
  for (let time = 0; time < 10; time++) await askAnew(`${serving.url}/v1/toilets`)
  const toilets = async () =>
    (await serving.metrics()).get('pds_http_requests_total{route="/v1/toilets",method="GET",status="200"}')
  const counted = await until(async () => {
    const count = Number(await toilets())
    return count >= 10 && count
  }, 'the count of all requests')
  process.kill(leader, 'SIGKILL')
  // A connection that is on its way to a worker when this worker dies is lost with it.
  const [ended] = await until(() => {
    const lines = events(serving.log, 'worker-ended')
    return lines.length > 0 && lines
  }, 'the end of the worker')
  assert.equal(ended?.reason, 'it was ended by SIGKILL')
  for (let time = 0; time < 5; time++) assert.equal((await askAnew(`${serving.url}/v1/toilets`)).status, 200)
  await untilWorkers(serving, pids => areTwo(pids) && !pids.includes(leader))
  // Prometheus would take a smaller count for a restart.
  assert.equal(await toilets(), counted + 5)
  await until(() => events(serving.log, 'feed-leading').length === 2, 'another worker that polls')
  const before = feed.requests.length
  await until(() => feed.requests.length > before, 'a poll')
})

test(`SIGHUP reads files again and replaces the workers ${ROLLS} times under load, and no request is lost`, async t => {
  const site = await makeSite(t)
  const metadata = join(site.folder, 'metadata.json')
  const state = (title: string) => writeFile(metadata, JSON.stringify({ title }))
  await state('Data 0')
  const serving = await serveByTwo(site, { METADATA: metadata })
  const clients = startAsking(serving.url)
  for (let roll = 1; roll <= ROLLS; roll++) {
    const old = await workersOf(serving)
    await state(`Data ${roll}`)
    serving.child.kill('SIGHUP')
    await until(() => events(serving.log, 'workers-replaced').length === roll, 'new workers')
    await untilWorkers(serving, pids => areTwo(pids) && !pids.some(pid => old.includes(pid)))
    for (let time = 0; time < 4; time++)
      assert.match((await askAnew(`${serving.url}/llms.txt`)).text, new RegExp(`Data ${roll}`))
  }
  const answered = await clients.stop()
  t.diagnostic(`${answered} answers`)
  assert.ok(answered > 100)

  await writeFile(metadata, '{"titel": "Data"}')
  const before = await workersOf(serving)
  serving.child.kill('SIGHUP')
  const [line] = await until(() => {
    const lines = events(serving.log, 'workers-not-replaced')
    return lines.length > 0 && lines
  }, 'the mistake in the log')
  assert.match(String(line?.reason), /titel/)
  assert.deepEqual(await workersOf(serving), before)
  assert.equal((await askAnew(`${serving.url}/v1/toilets`)).status, 200)
})

test('SIGTERM lets both workers finish: no request is lost, and all processes are gone in time', async t => {
  const site = await makeSite(t)
  const serving = await serveByTwo(site)
  const pids = await workersOf(serving)
  const clients = startAsking(serving.url)
  const { status, seconds } = await serving.stop('SIGTERM')
  assert.equal(status, 0)
  assert.ok(seconds < 10)
  await assert.rejects(clients.stop(), { code: 'ECONNREFUSED' })
  for (const pid of pids) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})

test('a bulk file is made once for both workers, and goes with the service', async t => {
  const site = await makeSite(t)
  const rows = Array.from({ length: 20_000 }, (_, row) => `Ford,MODEL ${row},Petrol\n`)
  await site.publish('vehicles', `MAKE,MODEL,FUEL TYPE\n${rows.join('')}`)
  const serving = await serveByTwo(site, { TMPDIR: site.folder })
  const url = `${serving.url}/v1/datasets/vehicles/files/1.csv`
  const all = await Promise.all(Array.from({ length: 12 }, () => askAnew(url)))
  assert.deepEqual(
    all.map(({ status, text }) => [status, text === all[0]?.text]),
    all.map(() => [200, true]),
  )
  for (let time = 0; time < 4; time++)
    assert.equal((await askAnew(url)).headers['content-length'], String(all[0]?.text.length))
  const temporary = async () => (await readdir(site.folder)).filter(name => name.startsWith('pds-'))
  const [folder = '', ...others] = await temporary()
  assert.deepEqual(others, [])
  const names = (await readdir(join(site.folder, folder))).sort()
  assert.deepEqual(
    names.map(name => name.replace(/^vehicles-1-\w+/, '')),
    ['.csv', '.csv.made'],
  )
  await serving.stop()
  assert.deepEqual(await temporary(), [])
})

test('a bulk file whose maker is killed is made by another worker', async t => {
  const site = await makeSite(t)
  const rows = Array.from({ length: 100_000 }, (_, row) => `Ford,MODEL ${row},Petrol\n`)
  await site.publish('vehicles', `MAKE,MODEL,FUEL TYPE\n${rows.join('')}`)
  const serving = await serveByTwo(site, { TMPDIR: site.folder })
  const url = `${serving.url}/v1/datasets/vehicles/files/1.json`
  const cut = askAnew(url).catch(() => undefined)
  const [folder = ''] = (await readdir(site.folder)).filter(name => name.startsWith('pds-'))
  const maker = await until(async () => {
    const names = await readdir(join(site.folder, folder))
    return names.map(name => Number(/\.(\d+)\.part$/.exec(name)?.[1])).find(pid => pid > 0)
  }, 'a file that is being made')
  process.kill(maker, 'SIGKILL')
  await cut
  await untilWorkers(serving, pids => areTwo(pids) && !pids.includes(maker))
  const { status, text } = await askAnew(url)
  assert.deepEqual([status, JSON.parse(text).results.length], [200, 100_000])
})

test('more workers than the memory allows: one line says so, and fewer run', async t => {
  const limit = limitMemory(t, 500 * 2 ** 20)
  if (limit === undefined) return t.skip(NO_MEMORY_LIMIT)
  const site = await makeSite(t)
  await site.publish('toilets', TOILETS)
  const serving = await site.serve({ WORKERS: '32' }, ['serve'], { first: limit.first })
  const lines = serving.log.filter(({ msg }) => msg.startsWith('WORKERS is 32, and the memory'))
  assert.match(String(lines[0]?.msg), /enough for [2-8] of \d+ MB: [2-8] run$/)
  assert.equal(lines.length, 1)
  await untilWorkers(serving, pids => pids.length < 9)
  assert.equal(limit.kills(), 0)
  await serving.stop()
})

test('workers whose primary process is killed end by themselves', async t => {
  const site = await makeSite(t)
  const serving = await serveByTwo(site)
  const pids = await workersOf(serving)
  await serving.stop('SIGKILL')
  const isGone = (pid: number) => {
    try {
      process.kill(pid, 0)
      return false
    } catch {
      return true
    }
  }
  await until(() => pids.every(isGone), 'the end of the workers')
})

test('a client gets its limit from both workers together, and at most a twentieth is refused early', async t => {
  const site = await makeSite(t)
  await site.publish('vehicles', 'MAKE,MODEL,FUEL TYPE\nFord,Fiesta,Petrol\n')
  const serving = await serveByTwo(site, { VEHICLES_RATE_LIMIT: '200' })
  const statuses = []
  for (let time = 0; time < 240; time++) statuses.push((await askAnew(`${serving.url}/v1/vehicles`)).status)
  const allowed = statuses.filter(status => status === 200).length
  assert.ok(
    allowed <= 200 && statuses.indexOf(429) >= 190,
    `${allowed}, the first after ${statuses.indexOf(429)}`,
  )
  assert.equal(statuses.lastIndexOf(429), 239)
})

test('a worker that cannot start again is tried with growing pauses, and starts once the cause is gone', async t => {
  const site = await makeSite(t)
  const metadata = join(site.folder, 'metadata.json')
  await writeFile(metadata, '{}')
  const serving = await serveByTwo(site, { METADATA: metadata })
  await writeFile(metadata, 'no JSON')
  const [first = 0] = await workersOf(serving)
  process.kill(first, 'SIGKILL')
  const ended = await until(() => {
    const lines = events(serving.log, 'worker-ended')
    return lines.length >= 4 && lines
  }, 'four ends of a worker')
  const pauses = ended.map(({ delayMs }) => Number(delayMs))
  assert.ok(Number(pauses[3]) > 2 * Number(pauses[1]), String(pauses))
  assert.match((await serving.admin('/readyz')).text, /1 of 2 answer/)
  await writeFile(metadata, '{}')
  await untilWorkers(serving, areTwo)
})

for (const [name, environment, status, line] of [
  [
    'no worker',
    { WORKERS: '0' },
    2,
    /^error: WORKERS is "0".*; allowed: a whole number from 1 to 256, or auto\n$/,
  ],
  ['no number', { WORKERS: 'all' }, 2, /^error: WORKERS is "all"; allowed: .*\n$/],
  ['no store', { WORKERS: '2', DATABASE_URL: 'sqlite:/proc/none' }, 1, /^[^\n]+\n$/],
  ['no metadata', { WORKERS: '2', METADATA: 'none.json' }, 2, /^[^\n]*none.json[^\n]*\n$/],
] as const)
  test(`${name}: one line, and the start fails at once`, async t => {
    const site = await makeSite(t)
    const { status: ended, stderr } = await pds(site.folder, ['serve'], {
      environment: { PORT: '0', ADMIN_PORT: '0', ...environment },
    })
    assert.match(stderr, line)
    assert.equal(ended, status)
  })

test('a taken port: one line, and the start fails at once', async t => {
  const site = await makeSite(t)
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.after(() => taken.close())
  const { port } = taken.address() as { port: number }
  const { status, stderr } = await pds(site.folder, ['serve'], {
    environment: { WORKERS: '2', PORT: String(port), ADMIN_PORT: '0' },
  })
  assert.match(stderr, /^error: PORT \d+ is in use: set PORT to another\n$/)
  assert.equal(status, 1)
})
