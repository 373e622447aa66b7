import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { HistoryReading } from '../../src/parking/history/history-schema.ts'
import { HARBOUR, inJersey, pastOf, steady, told } from '../support/counted-past.ts'
import { emptyFolder } from '../support/folder.ts'
import { ISLAND } from '../support/island.ts'
import { parquetRecords } from '../support/parquet.ts'
import { build } from '../support/service.ts'

const MINUTE = 60_000
const NOON = Date.parse('2025-07-01T12:00:00Z')
const ONE = '/v1/carparks/HARBST/history'
const ALL = '/v1/carparks/live-spaces/history'
const none = { min: null, max: null, mean: null, last: null, count: 0, goodCount: 0, goodMean: null }

/** Four readings from noon on, then half an hour without any, then one. */
const HOUR = pastOf([
  { at: NOON, spaces: 30, open: true, status: 'good' },
  { at: NOON + 5 * MINUTE, spaces: 10, open: true, status: 'good' },
  { at: NOON + 10 * MINUTE, spaces: 21, open: null, status: null },
  { at: NOON + 15 * MINUTE - 1, spaces: 20, open: false, status: 'shut, "for now"' },
  { at: NOON + 50 * MINUTE, spaces: 0, open: true, status: 'good' },
])
const OLD = pastOf([{ at: NOON + 5 * MINUTE, spaces: 7, open: true, status: null }], {
  code: '+OLD',
  name: 'Old Town',
})

async function withHistory(
  t: TestContext,
  history = [...HOUR, ...OLD],
  now = NOON + 60 * MINUTE,
  filesFolder?: string,
) {
  const service = await build(t, ISLAND, { history, now: () => now, filesFolder })
  return { ...service, get: async (url: string) => (await service.app.inject(url)).json() }
}

test('the history of one car park: readings, or intervals, including those without a reading', async t => {
  const { get } = await withHistory(t)
  const raw = await get(`${ONE}?interval=raw&from=2025-07-01T12:00:00Z&to=2025-07-01T12:50:00Z`)
  assert.deepEqual(raw, {
    ...HARBOUR,
    results: [
      { at: '2025-07-01T12:00:00.000Z', spaces: 30, open: true, status: 'good', quality: 'good' },
      { at: '2025-07-01T12:05:00.000Z', spaces: 10, open: true, status: 'good', quality: 'good' },
      { at: '2025-07-01T12:10:00.000Z', spaces: 21, open: null, status: null, quality: 'good' },
      {
        at: '2025-07-01T12:14:59.999Z',
        spaces: 20,
        open: false,
        status: 'shut, "for now"',
        quality: 'closed',
      },
    ],
  })
  const quarters = await get(`${ONE}?from=2025-07-01T12:00:00Z&to=2025-07-01T13:00:00Z`)
  assert.deepEqual(quarters.results, [
    {
      ...{ from: '2025-07-01T12:00:00.000Z', min: 10, max: 30, mean: 20.25, last: 20, count: 4 },
      ...{ goodCount: 3, goodMean: 20.33 },
    },
    { from: '2025-07-01T12:15:00.000Z', ...none },
    { from: '2025-07-01T12:30:00.000Z', ...none },
    {
      ...{ from: '2025-07-01T12:45:00.000Z', min: 0, max: 0, mean: 0, last: 0, count: 1 },
      ...{ goodCount: 1, goodMean: 0 },
    },
  ])
  const hours = await get(`${ONE}?interval=1h&from=2025-07-01T11:00:00Z&to=2025-07-01T13:00:00Z`)
  const whole = { min: 0, max: 30, mean: 16.2, last: 0, count: 5, goodCount: 4, goodMean: 15.25 }
  assert.deepEqual(hours.results, [
    { from: '2025-07-01T11:00:00.000Z', ...none },
    { from: '2025-07-01T12:00:00.000Z', ...whole },
  ])
  const days = await get(`${ONE}?interval=1d&from=2025-06-30&to=2025-07-01`)
  assert.deepEqual(days.results, [
    { from: '2025-06-29T23:00:00.000Z', ...none },
    { from: '2025-06-30T23:00:00.000Z', ...whole },
  ])
})

test('the history of all car parks, ordered by code and time', async t => {
  const { get } = await withHistory(t)
  const period = 'from=2025-07-01T12:00:00Z&to=2025-07-01T12:30:00Z'
  assert.deepEqual(await get(`${ALL}?${period}`), {
    results: [
      {
        ...{ code: '+OLD', from: '2025-07-01T12:00:00.000Z', min: 7, max: 7, mean: 7, last: 7, count: 1 },
        ...{ goodCount: 1, goodMean: 7 },
      },
      { code: '+OLD', from: '2025-07-01T12:15:00.000Z', ...none },
      {
        ...{ code: 'HARBST', from: '2025-07-01T12:00:00.000Z', min: 10, max: 30, mean: 20.25, last: 20 },
        ...{ count: 4, goodCount: 3, goodMean: 20.33 },
      },
      { code: 'HARBST', from: '2025-07-01T12:15:00.000Z', ...none },
    ],
  })
  const { results } = await get(`${ALL}?${period}&interval=raw`)
  assert.deepEqual(
    results.map(({ code, spaces }: { code: string; spaces: number }) => `${code} ${spaces}`),
    ['+OLD 7', 'HARBST 30', 'HARBST 10', 'HARBST 21', 'HARBST 20'],
  )
})

test('a mean has at most two decimals', async t => {
  const thirds = [1, 1, 0].map((spaces, place) => ({ ...HOUR[0], at: NOON + place, spaces })) as typeof HOUR
  const { get } = await withHistory(t, thirds)
  assert.equal((await get(`${ONE}?from=2025-07-01T12:00:00Z`)).results[0].mean, 0.67)
})

test('days are local: 23 hours in March and 25 in October, with each reading in exactly one', async t => {
  const changes = [
    ['2025-03-29', '2025-03-31', 96, 92, 96],
    ['2025-10-25', '2025-10-27', 96, 100, 96],
    ['2024-12-31', '2025-01-02', 96, 96, 96],
    ['2024-02-28', '2024-03-01', 96, 96, 96],
  ] as const
  for (const [first, last, ...counts] of changes) {
    const from = inJersey(`${first}T00:00`)
    const readings = pastOf(steady(from - 30 * MINUTE, from + 80 * 60 * MINUTE, 15 * MINUTE, step => step))
    const { get } = await withHistory(t, readings, from + 90 * 60 * MINUTE)
    const { results } = await get(`${ONE}?interval=1d&from=${first}&to=${last}`)
    const told = results.map(({ count }: { count: number }) => count)
    assert.deepEqual(told, counts, first)
    const starts = results.map(({ from }: { from: string }) => Date.parse(from))
    assert.equal(starts[0], from)
    assert.deepEqual(
      starts
        .map((start: number, place: number) => ((starts[place + 1] ?? start) - start) / 15 / MINUTE)
        .slice(0, 2),
      counts.slice(0, 2),
    )
    const raw = await get(`${ONE}?interval=raw&from=${first}&to=${last}`)
    assert.equal(
      raw.results.length,
      counts.reduce((a, b) => a + b, 0),
    )
  }
})

test('the repeated hour in autumn is two hours, and the skipped hour in spring does not occur', async t => {
  const hourly = async (day: string) => {
    const from = inJersey(`${day}T00:00`)
    const { get } = await withHistory(t, pastOf(steady(from, from + 86_400_000, 60 * MINUTE, step => step)))
    const { results } = await get(`${ONE}?interval=1h&from=${day}&to=${day}`)
    return results.map(({ from, last }: { from: string; last: number }) => `${from.slice(11, 16)} ${last}`)
  }
  const autumn = await hourly('2024-10-27')
  assert.deepEqual([autumn.length, ...autumn.slice(0, 4)], [25, '23:00 0', '00:00 1', '01:00 2', '02:00 3'])
  const spring = await hourly('2025-03-30')
  assert.deepEqual([spring.length, ...spring.slice(0, 3)], [23, '00:00 0', '01:00 1', '02:00 2'])
})

test('a period is given in local dates, or in instants with any offset', async t => {
  const { app, get } = await withHistory(t)
  const body = async (query: string) => (await app.inject(`${ONE}?interval=raw&${query}`)).body
  const inDates = await body('from=2025-07-01&to=2025-07-01')
  assert.equal(JSON.parse(inDates).results.length, 5)
  for (const query of [
    'from=2025-06-30T23:00:00Z&to=2025-07-01T23:00:00Z',
    'from=2025-07-01T00:00%2B01:00&to=2025-07-02T00:00%2B0100',
    // A plus that nobody encoded is a blank.
    'from=2025-07-01T00:00+01:00&to=2025-07-01',
    'from=2025-06-30t18:30:00.000-04:30&to=2025-07-01T23:00Z',
  ])
    assert.equal(await body(query), inDates, query)
  const { results } = await get(`${ONE}?interval=raw&from=2025-07-01T12:05Z&to=2025-07-01T12:10Z`)
  assert.deepEqual(
    results.map(({ spaces }: { spaces: number }) => spaces),
    [10],
  )
})

test('the default period is the last day, week or month, and no period goes beyond now', async t => {
  const { get } = await withHistory(t)
  const rows = async (query: string) => {
    const { results } = await get(`${ONE}?${query}`)
    return [results.length, results[0].from, results.at(-1).from]
  }
  const last = '2025-07-01T12:45:00.000Z'
  assert.deepEqual(await rows(''), [96, '2025-06-30T13:00:00.000Z', last])
  const lastHour = '2025-07-01T12:00:00.000Z'
  assert.deepEqual(await rows('interval=1h'), [168, '2025-06-24T13:00:00.000Z', lastHour])
  assert.deepEqual(await rows('interval=1d'), [32, '2025-05-30T23:00:00.000Z', '2025-06-30T23:00:00.000Z'])
  assert.deepEqual(await rows('to=2025-07-03&from=2025-07-01'), [56, '2025-06-30T23:00:00.000Z', last])
  assert.equal((await get(`${ONE}?interval=raw`)).results.length, 5)
  assert.deepEqual((await get(`${ONE}?from=2025-07-05&to=2025-07-06`)).results, [])
})

test('a renamed car park has one history, under its latest name', async t => {
  const renamed = [
    ...pastOf(
      steady(NOON, NOON + 7 * MINUTE, MINUTE, () => 4),
      { code: 'HARBST', name: 'Harbour Street' },
    ),
    ...pastOf(
      steady(NOON + 7 * MINUTE, NOON + 14 * MINUTE, MINUTE, () => 9),
      { code: 'harbst', name: 'Harbour' },
    ),
  ]
  const { get } = await withHistory(t, renamed)
  const { results, name } = await get(`${ONE}?from=2025-07-01T12:00Z&to=2025-07-01T12:15Z`)
  assert.equal(name, 'Harbour')
  assert.deepEqual(results, [
    {
      ...{ from: '2025-07-01T12:00:00.000Z', min: 4, max: 9, mean: 6.5, last: 9, count: 14 },
      ...{ goodCount: 14, goodMean: 6.5 },
    },
  ])
  assert.equal((await get(`${ALL}?interval=1h&from=2025-07-01`)).results.length, 14)
})

test('imported readings are visible while the service runs, and so are new ones from the feed', async t => {
  const { app, get, store, parking, observe } = await withHistory(t)
  const urls = [`${ONE}?interval=1h&from=2025-07-01`, `${ALL}?interval=1h&from=2025-07-01`]
  const before = await Promise.all(urls.map(url => app.inject(url)))
  const isOther = async () => {
    for (const [place, url] of urls.entries()) {
      const tag = String(before[place]?.headers.etag)
      assert.equal((await app.inject({ url, headers: { 'if-none-match': tag } })).statusCode, 200, url)
      before[place] = await app.inject(url)
    }
  }
  await store.readings.saveHistory(pastOf(steady(NOON - 60 * MINUTE, NOON, 5 * MINUTE, () => 55)))
  await parking.refresh()
  await isOther()
  const eleven = (await get(urls[0] ?? '')).results.at(-2)
  assert.deepEqual([eleven.last, eleven.count], [55, 12])
  await observe(told(NOON + 55 * MINUTE, { spaces: 61 }, { code: 'NEW', name: 'New', spaces: 3 }))
  await isOther()
  assert.equal((await get(urls[0] ?? '')).results.at(-1).last, 61)
  const { results } = await get(urls[1] ?? '')
  assert.equal(results.filter(({ code }: { code: string }) => code === 'NEW').at(-1).last, 3)
})

test('until the history has been read, no car park is unknown, and a list of all is not incomplete', async t => {
  let read = () => {}
  const historyHeldUp = new Promise<void>(resolve => {
    read = resolve
  })
  const { app, parking } = await build(t, ISLAND, {
    ...{ history: [...HOUR, ...OLD], now: () => NOON + 60 * MINUTE },
    historyHeldUp,
  })
  const status = async (path: string) => (await app.inject(path)).statusCode
  const paths = [ONE, '/v1/carparks/+OLD/history', '/v1/carparks/NOWHERE/history', ALL]
  assert.deepEqual(await Promise.all(paths.map(status)), [503, 503, 503, 503])
  const { headers } = await app.inject(ALL)
  assert.deepEqual([headers['retry-after'], headers['cache-control']], ['3', 'no-store'])
  read()
  await parking.refresh()
  assert.deepEqual(await Promise.all(paths.map(status)), [200, 200, 404, 200])
})

test('a count is never dated later than its own observation, though history has later readings', async t => {
  const timestamp = new Date(NOON + 5 * MINUTE).toISOString()
  const observation = { timestamp, entries: [{ ...HARBOUR, spaces: 99, status: 'good', open: true }] }
  const { app, parking } = await build(t, ISLAND, {
    history: HOUR,
    observation,
    now: () => NOON + 60 * MINUTE,
  })
  const live = (await app.inject('/v1/carparks/live-spaces?include=quality')).json()
  const one = (await app.inject('/v1/carparks/HARBST/live')).json()
  const dated = [...live.results, one, ...(parking.current()?.results ?? [])].map(entry => [
    entry.spaces,
    entry.observedAt,
  ])
  assert.deepEqual(dated, Array(3).fill([99, timestamp]))
})

const FILES = '/v1/datasets/carparks/files'

test('each month that is over is a file as CSV and as Parquet', async t => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2025-08-20T12:00:00Z') })
  // A reading of the last minute of June by the island's clocks, and one of August that is not over.
  const at = (time: string, spaces: number) => ({ at: Date.parse(time), spaces, open: true, status: 'good' })
  const past = [
    at('2025-05-20T08:00:00Z', 11),
    at('2025-06-30T22:59:00Z', 12),
    at('2025-06-30T23:00:00Z', 13),
    at('2025-08-01T10:00:00Z', 14),
  ]
  const folder = await emptyFolder(t)
  const { app, get, store } = await withHistory(t, pastOf(past), Date.parse('2025-08-20T12:00:00Z'), folder)
  const { history } = await get(FILES)
  assert.deepEqual(
    history.map(({ month, path }: Record<string, string>) => [month, path]),
    ['2025-05', '2025-06', '2025-07'].flatMap(month =>
      ['csv', 'parquet'].map(format => [month, `${FILES}/history-${month}.${format}`]),
    ),
  )
  assert.deepEqual([history[2].bytes, history[2].sha256, history[2].madeAt], [null, null, null])

  const june = await app.inject(`${FILES}/history-2025-06.csv`)
  assert.equal(june.headers['content-disposition'], 'attachment; filename="carparks-history-2025-06.csv"')
  assert.equal(june.body, 'code,at,spaces,open,status\r\nHARBST,2025-06-30T22:59:00.000Z,12,true,good\r\n')
  assert.equal(
    (await app.inject(`${FILES}/history-2025-07.csv`)).body.split('\r\n')[1]?.slice(0, 31),
    'HARBST,2025-06-30T23:00:00.000Z',
  )
  const listed = (await get(FILES)).history[2]
  assert.equal(listed.bytes, june.rawPayload.length)
  assert.equal(listed.sha256, createHash('sha256').update(june.rawPayload).digest('hex'))
  const parquet = await app.inject(`${FILES}/history-2025-06.parquet`)
  const rows = await parquetRecords(parquet.rawPayload, HistoryReading)
  assert.deepEqual(
    rows.map(({ spaces }) => spaces),
    [12],
  )

  await t.test(
    'the present month, a month before the first count and another format are not there',
    async () => {
      for (const name of [
        'history-2025-08.csv',
        'history-2025-04.csv',
        'history-2025-06.json',
        'history-2025-13.csv',
      ])
        assert.equal((await app.inject(`${FILES}/${name}`)).statusCode, 404, name)
    },
  )
  await t.test('after an import of past counts the file is another one', async () => {
    t.mock.timers.tick(5000)
    await store.readings.saveHistory(pastOf([at('2025-06-10T10:00:00Z', 99)]))
    const since = { 'if-modified-since': String(june.headers['last-modified']) }
    for (const url of [FILES, `${FILES}/history-2025-06.csv`])
      assert.equal((await app.inject({ url, headers: since })).statusCode, 200, url)
    const other = await app.inject({
      url: `${FILES}/history-2025-06.csv`,
      headers: { 'if-none-match': String(june.headers.etag) },
    })
    assert.equal(other.statusCode, 200)
    assert.match(other.body, /2025-06-10T10:00:00\.000Z,99/)
    const [csv, ...more] = (await readdir(folder)).filter(name => /2025-06-.*csv$/.test(name))
    assert.ok(csv)
    assert.deepEqual(more, [], 'the file before is removed')
  })
  assert.equal((await get('/v1/datasets/toilets/files')).history, undefined)
})
