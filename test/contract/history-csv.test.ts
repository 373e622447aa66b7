import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { importHistory } from '../../src/parking/history/import/import-history.ts'
import { inJersey, pastOf, steady } from '../support/counted-past.ts'
import { ISLAND } from '../support/island.ts'
import { build, temporaryStore } from '../support/service.ts'

const MINUTE = 60_000
const NOON = Date.parse('2025-07-01T12:00:00Z')
const ONE = '/v1/carparks/HARBST/history'
const ALL = '/v1/carparks/live-spaces/history'
const PERIOD = 'from=2025-07-01T12:00:00Z&to=2025-07-01T12:20:00Z'
const CSV = 'text/csv; charset=utf-8; header=present'

const READINGS = [
  ...pastOf([
    { at: NOON, spaces: 30, open: true, status: 'good' },
    { at: NOON + 5 * MINUTE, spaces: 10, open: null, status: null },
    { at: NOON + 10 * MINUTE, spaces: 3, open: false, status: 'shut, "for now"' },
  ]),
  ...pastOf([{ at: NOON, spaces: 7, open: true, status: '=1+1' }], { code: '-OLD', name: 'Old Town' }),
]

const served = (t: Parameters<typeof build>[0], history = READINGS, now = NOON + 60 * MINUTE) =>
  build(t, ISLAND, { history, now: () => now })

test('readings and intervals are available as CSV, with a header and CRLF after every line', async t => {
  const { app } = await served(t)
  const raw = await app.inject(`${ALL}?${PERIOD}&interval=raw&format=csv`)
  assert.equal(raw.headers['content-type'], CSV)
  const lines = [
    'code,at,spaces,open,status,quality',
    // A spreadsheet would run what begins with these signs, and count what has digits.
    `'-OLD,2025-07-01T12:00:00.000Z,7,true,"'=1+1",good`,
    'HARBST,2025-07-01T12:00:00.000Z,30,true,good,good',
    'HARBST,2025-07-01T12:05:00.000Z,10,,,good',
    'HARBST,2025-07-01T12:10:00.000Z,3,false,"shut, ""for now""",closed',
  ]
  assert.equal(raw.body, lines.map(line => `${line}\r\n`).join(''))
  const quarters = await app.inject(`${ONE}?${PERIOD}&format=csv`)
  assert.equal(
    quarters.body,
    [
      'code,from,min,max,mean,last,count,goodCount,goodMean\r\n',
      'HARBST,2025-07-01T12:00:00.000Z,3,30,14.33,3,3,2,20\r\n',
      'HARBST,2025-07-01T12:15:00.000Z,,,,,0,0,\r\n',
    ].join(''),
  )
})

test('CSV has the same rows as JSON for every query', async t => {
  const { app } = await served(t)
  for (const path of [ONE, ALL])
    for (const interval of ['raw', '15m', '1h', '1d']) {
      const url = `${path}?interval=${interval}&from=2025-07-01&to=2025-07-01`
      const { code, results } = (await app.inject(url)).json()
      const rows: Record<string, string>[] = parse((await app.inject(`${url}&format=csv`)).body, {
        columns: true,
      })
      const written = results.map((row: object) =>
        Object.fromEntries(
          Object.entries({ ...(code === undefined ? {} : { code }), ...row }).map(([name, value]) => [
            name,
            value === null ? '' : String(value).replace(/^[-=]/, "'$&"),
          ]),
        ),
      )
      assert.deepEqual(rows, written, url)
    }
})

test('the suffix selects the format, else the parameter; only without both Accept selects, and can refuse', async t => {
  const { app } = await served(t)
  const got = async (url: string, accept: string) => {
    const { statusCode, headers } = await app.inject({ url, headers: { accept } })
    return statusCode === 200 ? /json|csv/.exec(String(headers['content-type']))?.[0] : statusCode
  }
  const ACCEPTED = {
    json: [
      ...['application/json', 'application/*', 'text/csv;q=0, */*'],
      ...['*/*', '', 'text/html, */*;q=0.8', 'application/json, text/csv'],
    ],
    csv: [
      ...['text/csv', 'text/*', 'text/csv;q=0.1, application/json;q=0'],
      ...['text/csv, application/json', 'application/json;q=0.5, text/csv'],
    ],
    406: ['image/png', 'application/json;q=0', 'text/html'],
  }
  for (const path of [ONE, ALL])
    for (const [negotiated, headers] of Object.entries(ACCEPTED))
      for (const accept of headers) {
        assert.equal(String(await got(`${path}?${PERIOD}`, accept)), negotiated, accept)
        const named = ['?format=json&', '.json?', '?format=csv&', '.csv?', '.csv?format=json&']
        const selected = await Promise.all(named.map(form => got(path + form + PERIOD, accept)))
        assert.deepEqual(selected, ['json', 'json', 'csv', 'csv', 'csv'], accept)
      }
  for (const what of ['live', 'forecast', 'typical'])
    assert.equal(await got(`/v1/carparks/HARBST/${what}`, 'text/csv'), 406, what)
  assert.equal(await got('/v1/carparks/live-spaces?include=quality', 'text/csv'), 406)
})

test('CSV and JSON are separate representations with separate ETags', async t => {
  const { app } = await served(t)
  const [json, csv] = await Promise.all(
    ['', '&format=csv'].map(more => app.inject(`${ONE}?${PERIOD}${more}`)),
  )
  assert.notEqual(json?.headers.etag, csv?.headers.etag)
  const headers = { 'if-none-match': String(csv?.headers.etag) }
  assert.equal((await app.inject({ url: `${ONE}?${PERIOD}&format=csv`, headers })).statusCode, 304)
  assert.equal((await app.inject({ url: `${ONE}?${PERIOD}`, headers })).statusCode, 200)
  const head = await app.inject({ url: `${ONE}?${PERIOD}&format=csv`, method: 'HEAD' })
  assert.deepEqual([head.body, head.headers['content-type']], ['', CSV])
  assert.equal(head.headers['content-length'], csv?.headers['content-length'])
  const accepted = await app.inject({ url: `${ONE}?${PERIOD}`, headers: { accept: 'text/csv' } })
  for (const name of ['etag', 'content-type', 'vary'])
    assert.equal(accepted.headers[name], csv?.headers[name], name)
  assert.equal(accepted.headers.vary, 'Accept, Accept-Encoding, Prefer')
  assert.equal((await app.inject(`${ONE}.csv?${PERIOD}`)).headers.vary, 'Accept-Encoding, Prefer')
})

test('readings exported from one service can be imported into another', async t => {
  const night = inJersey('2024-10-26T22:00')
  const autumn = [
    ...pastOf(steady(night, night + 8 * 60 * MINUTE, 5 * MINUTE, step => (step * 7) % 50)),
    ...pastOf([{ at: night, spaces: 9, open: false, status: 'shut, "for now"' }], { code: 'B2', name: 'B2' }),
  ]
  const { app, store } = await served(t, autumn, night + 24 * 60 * MINUTE)
  const { body } = await app.inject(`${ALL}?interval=raw&format=csv&from=2024-10-26&to=2024-10-27`)
  const other = await temporaryStore(t)
  const input = Readable.from([Buffer.from(body)])
  const report = await importHistory({
    store: other.readings,
    source: 'raw.csv',
    input,
    timeZone: 'Europe/Jersey',
  })
  assert.deepEqual([report.outcome, report.added, report.rejected], ['added', autumn.length, 0])
  const kept = async (from: typeof store) =>
    (await from.readings.readings({ from: 0, to: night * 2 })).map(({ name: _, ...reading }) => reading)
  const byCode = <R extends { code: string; at: number }>(readings: R[]) =>
    readings.sort((a, b) => a.at - b.at || (a.code < b.code ? -1 : 1))
  assert.deepEqual(byCode(await kept(other)), byCode(await kept(store)))
})
