import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { localClock } from '../../src/parking/local-clock.ts'
import type { Observation } from '../../src/store/store.ts'
import { TOILETS } from '../support/island.ts'
import { typicalWeekOf } from '../support/learned.ts'
import { DAY_MS, HOUR_MS, STEP_MS } from '../support/made-up-counts.ts'
import { historyCsv, madeUpFeed, observed, readingsOf, timeOf } from '../support/made-up-feed.ts'
import { answers, entry, payload, startUpstream } from '../support/misbehaving-upstream.ts'
import { pds } from '../support/pds.ts'
import type { Serving } from '../support/serving.ts'
import { kill, makeSite, type Site } from '../support/site.ts'
import { until } from '../support/until.ts'

/** Some days ago, at a full hour. */
const daysAgo = (days: number) => Math.floor((Date.now() - days * DAY_MS) / HOUR_MS) * HOUR_MS
const iso = (at: number) => new Date(at).toISOString()

async function historyFile(site: Site, name: string, feed: readonly Observation[]): Promise<string> {
  const path = join(site.folder, name)
  await writeFile(path, historyCsv(feed))
  return path
}

/** Asks for these again and again; all must be answered well. Gives the number of answers and the longest wait when it is stopped. */
function keepAsking(serving: Serving, paths: readonly string[]) {
  const asked = { answers: 0, longestMs: 0 }
  let ended = false
  const one = async (path: string) => {
    while (!ended) {
      const from = performance.now()
      const { status, text } = await (path === '/livez' ? serving.admin(path) : serving.get(path))
      assert.equal(status, 200, `${path} ${text.slice(0, 200)}`)
      asked.longestMs = Math.max(asked.longestMs, performance.now() - from)
      asked.answers++
      await pause(5)
    }
  }
  const asking = Promise.all(paths.map(one))
  // Its failure is told when it is stopped.
  asking.catch(() => {})
  return async () => {
    ended = true
    await asking
    return asked
  }
}

test('two concurrent imports of history, beside a server that polls each second: it uses them and continues', async t => {
  const told: string[] = []
  const upstream = await startUpstream((request, response) => {
    const timestamp = new Date().toISOString()
    told.push(timestamp)
    answers(payload([entry('A', told.length), entry('LIVE', 50)], timestamp))(request, response)
  })
  t.after(() => upstream.close())
  const site = await makeSite(t)
  await site.publish('toilets', TOILETS)
  const serving = await site.serve({ LIVE_FEED_URL: upstream.url, LIVE_FEED_INTERVAL_S: '1' })
  await until(() => told.length > 1, 'the first polls')
  const begun = Date.now()

  const [from, middle, to] = [daysAgo(70), daysAgo(35), daysAgo(2)]
  const feed = madeUpFeed(from, to)
  const files = [
    await historyFile(
      site,
      'early.csv',
      feed.filter(one => timeOf(one) < middle + 5 * DAY_MS),
    ),
    await historyFile(
      site,
      'late.csv',
      feed.filter(one => timeOf(one) >= middle),
    ),
  ]
  const stopAsking = keepAsking(serving, [
    '/livez',
    '/v1/carparks/live-spaces?include=quality',
    '/v1/carparks/A/live',
    '/v1/carparks/A/forecast',
    `/v1/carparks/live-spaces/history?interval=1d&from=${iso(from)}&to=${iso(to)}`,
  ])
  const ended = await Promise.all(
    files.map(file => pds(site.folder, ['import', 'live-spaces', file, '--json'])),
  )
  const imported = performance.now()
  for (const { status, stderr } of ended) assert.equal(status, 0, stderr)
  const added = ended.map(({ stdout }) => Number(JSON.parse(stdout).added))
  assert.equal(
    added.reduce((sum, one) => sum + one),
    feed.length * 3,
  )

  const hours = async (code: string) => {
    const query = `interval=1h&from=${iso(to - 31 * DAY_MS)}&to=${iso(to)}`
    const { status, text } = await serving.get(`/v1/carparks/${code}/history?${query}`)
    return status === 200 ? (JSON.parse(text).results as { count: number }[]) : []
  }
  await until(async () => (await hours('B')).length > 0, 'the imported car park over HTTP')
  await typicalWeekOf(serving, 'A')
  const seconds = (performance.now() - imported) / 1000
  const { answers: count, longestMs } = await stopAsking()
  t.diagnostic(
    `taken in ${seconds.toFixed(1)} s after the imports; ${count} answers, the longest after ${longestMs.toFixed(0)} ms`,
  )
  assert.ok((await hours('B')).every(({ count }) => count === 12))

  // What was polled meanwhile is kept; the last poll may be under way.
  const polled = told.slice(0, -1)
  assert.ok(polled.length >= 2)
  const kept = await site.store.readings.readings({
    from: begun - 60_000,
    to: Date.now() + 60_000,
    code: 'LIVE',
  })
  assert.deepEqual(
    polled.filter(timestamp => !kept.some(({ at }) => iso(at) === timestamp)),
    [],
  )
  assert.deepEqual(
    serving.log.filter(({ level }) => level >= 40),
    [],
  )
})

test('an import of history killed at any moment leaves all of its readings or none, and the next one succeeds', async t => {
  const ROUNDS = 5
  const site = await makeSite(t)
  const serving = await site.serve()
  const stopAsking = keepAsking(serving, ['/livez', '/v1/datasets'])
  const first = daysAgo(ROUNDS * 20 + 30)
  const part = (round: number) => madeUpFeed(first + round * 20 * DAY_MS, first + (round + 1) * 20 * DAY_MS)
  const start = () => {
    const child = site.start(['import', 'live-spaces', '-'])
    child.stdin.on('error', () => {})
    child.stdout.resume()
    child.stderr.resume()
    return child
  }
  const kept = async (feed: readonly Observation[]) => {
    const range = { from: timeOf(feed[0] ?? observed(0, [])), to: timeOf(feed.at(-1) ?? observed(0, [])) + 1 }
    const summaries = await site.store.readings.summaries(range, 'hour')
    const readings = await site.store.readings.readings(range)
    assert.equal(
      summaries.reduce((sum, { count }) => sum + count, 0),
      readings.length,
      'hours are those of the readings',
    )
    return readings.length
  }

  const warm = start()
  const from = performance.now()
  warm.stdin.end(historyCsv(part(0)))
  await until(async () => (await site.store.readings.historyRevision()) > 0, 'the first import')
  const tookMs = performance.now() - from
  const outcomes: string[] = []
  let next = start()
  for (let round = 1; round <= ROUNDS; round++) {
    const [child, feed] = [next, part(round)]
    next = start()
    child.stdin.end(historyCsv(feed))
    const delayMs = Math.random() * tookMs * 1.2
    await pause(delayMs)
    await kill(child)
    const count = await kept(feed)
    assert.ok(count === 0 || count === feed.length * 3, `${count} of ${feed.length * 3} readings`)
    outcomes.push(`${delayMs.toFixed(0)} ms ${count === 0 ? 'none' : 'all'}`)
  }
  t.diagnostic(`killed after ${outcomes.join(', ')}`)
  const all = Array.from({ length: ROUNDS + 1 }, (_, round) => part(round)).flat()
  const ended = new Promise(resolve => next.once('exit', resolve))
  next.stdin.end(historyCsv(all))
  assert.equal(await ended, 0)
  assert.equal(await kept(all), all.length * 3)
  await stopAsking()
  await until(
    async () => (await serving.get('/v1/carparks/B/history')).status === 200,
    'the car park over HTTP',
  )
})

test('an import of history that is removed is gone from a running server, and the others stay', async t => {
  const site = await makeSite(t)
  const [from, to] = [daysAgo(20), daysAgo(2)]
  const imported = async (name: string, codes: readonly string[]) => {
    const file = await historyFile(site, name, madeUpFeed(from, to, { codes: [...codes] }))
    const { status, stderr } = await pds(site.folder, ['import', 'live-spaces', file])
    assert.equal(status, 0, stderr)
  }
  await imported('right.csv', ['A'])
  await imported('wrong.csv', ['WRONG'])
  const serving = await site.serve()
  const path = (code: string) => `/v1/carparks/${code}/history?interval=1d&from=${iso(from)}&to=${iso(to)}`
  await typicalWeekOf(serving, 'WRONG')
  const ofA = await serving.get(path('A'))
  assert.deepEqual([ofA.status, (await serving.get(path('WRONG'))).status], [200, 200])

  assert.equal((await pds(site.folder, ['history', 'remove', '2'])).status, 0)
  await until(async () => (await serving.get(path('WRONG'))).status === 404, 'the history to be gone')
  await until(
    async () => (await serving.get('/v1/carparks/WRONG/typical')).status === 404,
    'the typical week to be gone',
  )
  assert.equal((await serving.get(path('A'))).text, ofA.text)
  assert.equal((await serving.get('/v1/carparks/A/typical')).status, 200)
})

test('LIVE_HISTORY_DAYS deletes older readings at startup, and nothing else', async t => {
  const site = await makeSite(t)
  const feed = madeUpFeed(daysAgo(40), daysAgo(0))
  await site.store.readings.saveHistory(readingsOf(feed))
  await site.store.readings.saveHistory(
    readingsOf(madeUpFeed(daysAgo(400), daysAgo(398), { codes: ['FORMER'] })),
  )
  const before = Date.now()
  const serving = await site.serve({ LIVE_HISTORY_DAYS: '7' })
  const dropped = await until(
    () => serving.log.find(({ event }) => event === 'history-dropped'),
    'the word that readings were dropped',
  )
  const kept = await site.store.readings.readings({ from: 0, to: Date.now() })
  const oldest = Math.min(...kept.map(({ at }) => at))
  assert.ok(oldest >= before - 7 * DAY_MS && oldest < Date.now() - 7 * DAY_MS + STEP_MS)
  assert.equal(Number(dropped.readings) + kept.length, feed.length * 3 + 2 * 288)
  assert.deepEqual(
    kept,
    readingsOf(feed)
      .filter(({ at }) => at >= oldest)
      .map(one => one),
  )
  assert.equal((await serving.get('/v1/carparks/FORMER/history')).status, 404)
  const { text } = await serving.get(`/v1/carparks/A/history?interval=1h&from=${iso(oldest - DAY_MS)}`)
  const hours: { from: string; count: number }[] = JSON.parse(text).results
  const bound = iso(Math.floor(oldest / HOUR_MS) * HOUR_MS)
  assert.ok(
    hours.every(({ from, count }) =>
      from < bound ? count === 0 : from > bound ? count === 12 || from >= iso(daysAgo(0)) : count <= 12,
    ),
  )
})

test('after a restart each count has the same quality: a frozen one stays frozen', async t => {
  // Freezes are found by day only, so the island lies where it is early afternoon now.
  const offset = 15 - new Date().getUTCHours()
  const zone =
    offset === 0
      ? 'UTC'
      : offset <= 12 && offset >= -12
        ? `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`
        : 'Etc/GMT-14'
  const clock = localClock(zone)
  const now = Date.now()
  const frozenSince = now - 6 * HOUR_MS
  const feed = madeUpFeed(now - 40 * DAY_MS, now, { clock })
  const stood = feed.find(one => timeOf(one) >= frozenSince)?.entries[0]?.spaces ?? 0
  const stands = ({ timestamp, entries }: Observation) => ({
    timestamp,
    entries: entries.map(one =>
      one.code === 'A' && Date.parse(timestamp) >= frozenSince ? { ...one, spaces: stood } : one,
    ),
  })
  const all = feed.map(stands)
  const last = all.at(-1) ?? observed(0, [])
  const upstream = await startUpstream(
    answers(
      payload(
        last.entries.map(one => entry(one.code, one.spaces)),
        last.timestamp,
      ),
    ),
  )
  t.after(() => upstream.close())
  const site = await makeSite(t)
  await site.store.readings.saveHistory(readingsOf(all.slice(0, -1)))
  const environment = { LIVE_FEED_URL: upstream.url, LIVE_FEED_INTERVAL_S: '1', LIVE_FEED_TIME_ZONE: zone }
  const liveOf = (serving: Serving) => serving.get('/v1/carparks/A/live')
  const said = async (serving: Serving) => {
    await until(
      async () => JSON.parse((await liveOf(serving)).text).observedAt === last.timestamp,
      'the last observation',
    )
    await typicalWeekOf(serving, 'A')
    const answers = await Promise.all(
      ['A', 'B', 'C'].flatMap(code =>
        ['live', 'forecast', 'typical'].map(async what => {
          const { ageSeconds, ...body } = JSON.parse((await serving.get(`/v1/carparks/${code}/${what}`)).text)
          return body
        }),
      ),
    )
    const { text } = await serving.get('/v1/carparks/live-spaces?include=quality')
    return [text.replaceAll(/"ageSeconds":\d+/g, ''), answers]
  }
  const before = await site.serve(environment)
  const answered = await said(before)
  assert.equal(JSON.parse((await liveOf(before)).text).quality, 'frozen', zone)
  await before.stop()
  assert.deepEqual(await said(await site.serve(environment)), answered)
})
