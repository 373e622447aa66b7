import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inJersey } from '../support/counted-past.ts'
import { openStream } from '../support/event-streams.ts'
import { judgedHarbour, LAST, MONDAY_10H } from '../support/judged-harbour.ts'
import { STREAM } from '../support/live-stream.ts'
import { listen } from '../support/raw-http.ts'

const MINUTE = 60_000
const LIVE = '/v1/carparks/HARBST/live'
const HISTORY = '/v1/carparks/HARBST/history'
const iso = (minute: number) => new Date(MONDAY_10H + minute * MINUTE).toISOString()
const period = (from: number, to: number) => `from=${iso(from)}&to=${iso(to)}`

type Harbour = Awaited<ReturnType<typeof judgedHarbour>>
const trendOf = async ({ get }: Harbour) => (await get(LIVE)).trend

/** The day's quarters that have a point on the page of the car park. */
async function dayOf({ app }: Harbour): Promise<(number | null)[]> {
  const { body } = await app.inject('/parking/HARBST')
  return JSON.parse(/<script id="data"[^>]*>(.*?)<\/script>/.exec(body)?.[1] ?? '').live.day.counted
}

test('a glitch half an hour ago turns no trend, and has no part in a mean', async t => {
  const service = await judgedHarbour(t)
  const { app, get, tellCounts } = service
  await tellCounts([-8, -15, -LAST, -22, -30, -36, -44, -51, -58].map(change => LAST + change))

  assert.equal(await trendOf(service), 'filling')
  const { results } = await get('/v1/carparks/live-spaces?include=quality')
  assert.equal(results[0].trend, 'filling')
  const stream = await openStream(t, `http://127.0.0.1:${await listen(app)}${STREAM}`)
  assert.equal(JSON.parse(stream.events[0]?.data ?? '').results[0].trend, 'filling')
  for (const path of ['/parking', '/parking/HARBST']) {
    const { body } = await app.inject(path)
    assert.match(body, /Filling up: fewer spaces than half an hour ago/, path)
    assert.doesNotMatch(body, /Emptying/, path)
  }

  const raw = await get(`${HISTORY}?interval=raw&${period(10, 25)}`)
  assert.deepEqual(
    raw.results.map(({ spaces, quality }: { spaces: number; quality: string }) => [spaces, quality]),
    [
      [LAST - 15, 'good'],
      [0, 'implausible'],
      [LAST - 22, 'good'],
    ],
  )
  const [quarter] = (await get(`${HISTORY}?${period(15, 30)}`)).results
  const hundredths = (value: number) => Math.round(value * 100) / 100
  assert.deepEqual(quarter, {
    ...{ from: iso(15), min: 0, max: LAST - 22, mean: hundredths((2 * LAST - 52) / 3), last: LAST - 30 },
    ...{ count: 3, goodCount: 2, goodMean: LAST - 26 },
  })
  const [day] = (await get(`${HISTORY}?interval=1d&from=2025-03-31&to=2025-03-31`)).results
  assert.equal(day.count - day.goodCount, 1)
  assert.ok(day.goodMean > day.mean)
  assert.equal((await dayOf(service))[41], LAST - 26)
})

test('a count of half an hour ago that turns out to be stuck supports no trend, nor a mean', async t => {
  const service = await judgedHarbour(t)
  const { get, quality, tellCounts } = service
  await tellCounts(Array(8).fill(LAST))
  assert.equal((await quality()).quality, 'good', 'not found yet')
  const [before] = (await get(`${HISTORY}?${period(15, 30)}`)).results
  assert.deepEqual([before.goodCount, before.goodMean], [3, LAST])

  await tellCounts(Array(12).fill(LAST))
  assert.equal((await quality()).quality, 'frozen')
  assert.equal(await trendOf(service), null)
  const { results } = await get(`${HISTORY}?interval=raw&${period(5, 101)}`)
  assert.deepEqual(
    [results.length, ...new Set(results.map(({ quality }: { quality: string }) => quality))],
    [20, 'frozen'],
  )
  const [after] = (await get(`${HISTORY}?${period(15, 30)}`)).results
  assert.deepEqual([after.count, after.mean, after.goodCount, after.goodMean], [3, LAST, 0, null])
  const day = await dayOf(service)
  assert.deepEqual([day[39] !== null, day[41], day[44]], [true, null, null])

  const moving = Array.from({ length: 14 }, (_, step) => LAST - 5 * (step + 1))
  await tellCounts(moving.slice(0, 6))
  assert.equal((await quality()).quality, 'good')
  assert.equal(await trendOf(service), null, 'half an hour ago it was stuck')
  await tellCounts(moving.slice(6))
  assert.equal(await trendOf(service), 'filling')
})

test('a change of three spaces, or of one in a hundred, is steady; after an outage there is no trend', async t => {
  const service = await judgedHarbour(t)
  const { tell, tellCounts, get } = service
  // 606 spaces.
  await tellCounts([1, 0, 1, 2, 3, 6].map(change => LAST + change))
  assert.equal(await trendOf(service), 'steady')
  await tellCounts([LAST + 10])
  assert.equal(await trendOf(service), 'emptying')
  const { results } = await get('/v1/carparks/live-spaces')
  assert.deepEqual(Object.keys(results[0]), ['name', 'code', 'spaces', 'status', 'open'])
  const later = inJersey('2025-03-31T12:00')
  const entries = [{ code: 'HARBST', name: 'Harbour St', spaces: LAST - 90, status: 'good', open: true }]
  await tell({ timestamp: new Date(later).toISOString(), entries })
  assert.equal(await trendOf(service), null)
})

test('readings of more than twelve weeks ago are not assessed', async t => {
  const old = inJersey('2024-12-02T12:00')
  const reading = { code: 'HARBST', name: 'Harbour St', spaces: 5, open: true, status: 'good' }
  const { get } = await judgedHarbour(t, { history: [{ ...reading, at: old }] })
  const from = `from=2024-12-02&to=2024-12-02`
  assert.equal((await get(`${HISTORY}?interval=raw&${from}`)).results[0].quality, null)
  const [day] = (await get(`${HISTORY}?interval=1d&${from}`)).results
  assert.deepEqual([day.mean, day.goodCount, day.goodMean], [5, null, null])
})
