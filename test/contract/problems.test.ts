import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROBLEMS, type ProblemCode } from '../../src/errors.ts'
import { CARPARKS, DEFIBRILLATORS, RECALLS, TOILETS, VEHICLES } from '../support/island.ts'
import { openPage } from '../support/pages.ts'
import { exchange, listen } from '../support/raw-http.ts'
import { build, publish } from '../support/service.ts'
import { until } from '../support/until.ts'

/** An error as it came from outside, over a connection of its own. */
interface Provoked {
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
  readonly body: string
}

const head = (start: string, ...headers: string[]) =>
  `${[`${start} HTTP/1.1`, 'Host: data.example', ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`

/** How each problem is provoked. The compiler wants every code here, and the test that each is what comes. */
const PROVOCATIONS: Record<ProblemCode, string> = {
  INVALID_PARAMETER: head('GET /v1/product-recalls?page=0'),
  UNKNOWN_PARAMETER: head('GET /v1/toilets?x=1', 'Prefer: handling=strict'),
  BAD_REQUEST: head('GET /v1/carparks/%zz'),
  NOT_FOUND: head('GET /v1/nothing'),
  METHOD_NOT_ALLOWED: head('DELETE /v1/toilets'),
  NOT_ACCEPTABLE: head('GET /v1/toilets', 'Accept: image/png'),
  // It never ends its headers.
  REQUEST_TIMEOUT: 'GET /v1/toilets HTTP/1.1\r\nHost: data.example\r\n',
  // Of a release that there never was: to the service one that is long gone.
  CURSOR_EXPIRED: head('GET /v1/product-recalls?cursor=Wzk5LCIwIiwwLCI0N0RFUXBqOCJd'),
  // Its first release is pruned.
  CHANGES_GONE: head('GET /v1/defibrillators/changes?since=1'),
  // It is in each kept release but the last.
  RECORD_REMOVED: head(`GET /v1/defibrillators/${DEFIBRILLATORS[1]?.id}`),
  CONTENT_TOO_LARGE: head('POST /mcp', 'Content-Type: application/json', 'Content-Length: 65537'),
  UNSUPPORTED_MEDIA_TYPE: head('POST /mcp', 'Content-Type: text/plain', 'Content-Length: 0'),
  URI_TOO_LONG: head(`GET /v1/carparks/${'x'.repeat(101)}`),
  // At the service whose files are made.
  RANGE_NOT_SATISFIABLE: head('GET /v1/datasets/toilets/files/1.json', 'Range: bytes=1000000-'),
  RATE_LIMITED: head('GET /v1/vehicles'),
  HEADERS_TOO_LARGE: head('GET /v1/toilets', `X: ${'x'.repeat(8192)}`),
  // Its counting is broken.
  INTERNAL_ERROR: head('GET /v1/vehicles/makes'),
  // At a service that admits no work.
  OVERLOADED: head('GET /v1/vehicles?make=ford'),
  DATASET_UNAVAILABLE: head('GET /v1/recycling'),
}

test('every problem in the registry can be provoked', async t => {
  const content = { vehicles: VEHICLES, toilets: TOILETS, carparks: CARPARKS, 'product-recalls': RECALLS }
  const { app, store, snapshots } = await build(t, content, {
    environment: { VEHICLES_RATE_LIMIT: '1', RESPONSE_CACHE_MB: '0' },
  })
  for (const padNumber of [1, 2, 3, 4, 5, 6])
    await publish(
      store,
      'defibrillators',
      DEFIBRILLATORS.slice(0, padNumber === 6 ? 1 : 2).map(each => ({ ...each, padNumber })),
    )
  await until(() => snapshots.get('defibrillators')?.release.number === 6)
  await snapshots.stop()
  const count = () => {
    throw new Error('select of node_modules')
  }
  Object.assign(snapshots.get('vehicles')?.collection ?? assert.fail(), { count })
  const port = await listen(app)
  const full = await build(t, content, {
    ...{ loadShedding: { timeSliceMs: 0, maxWaitMs: -1 } },
  })
  const fullPort = await listen(full.app)
  const file = '/v1/datasets/toilets/files/1.json'
  await until(async () => (await full.app.inject(file)).statusCode === 200, 'the file to be made')
  // The one that is allowed.
  await exchange(port, head('GET /v1/vehicles'))
  const provoked = new Map<string, Provoked>()
  // Together, because one of them takes its time.
  await Promise.all(
    Object.entries(PROVOCATIONS).map(async ([code, bytes]) => {
      const isFull = code === 'OVERLOADED' || code === 'RANGE_NOT_SATISFIABLE'
      provoked.set(code, await exchange(isFull ? fullPort : port, bytes))
    }),
  )

  assert.deepEqual([...provoked.keys()].sort(), Object.keys(PROBLEMS).sort())
  for (const [code, kind] of Object.entries(PROBLEMS))
    await t.test(`${code} comes as RFC 9457 says`, () => {
      const { status, headers, body } = provoked.get(code) ?? assert.fail()
      const problem = JSON.parse(body)
      assert.equal(problem.code, code)
      assert.equal(status, kind.status)
      assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8')
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['access-control-allow-origin'], '*')
      const { type, title, detail, instance, hint } = problem
      assert.deepEqual([problem.status, title, hint], [kind.status, kind.title, kind.hint])
      assert.match(detail, /\w/)
      assert.equal(typeof instance, 'string')
      assert.ok(type.startsWith('http://data.example/problems/'))
    })

  await t.test('tells nothing of the inside of the service', () => {
    for (const { body } of provoked.values())
      assert.doesNotMatch(body, /node_modules|\.ts\b|\bat \w+ \(|select |sqlite|FST_|Error:|\/tmp\//i)
  })

  await t.test('has a page of its own, where its type leads', async () => {
    for (const [code, { title, status }] of Object.entries(PROBLEMS)) {
      const { type } = JSON.parse(provoked.get(code)?.body ?? '')
      const page = await app.inject(new URL(type).pathname)
      assert.equal(page.statusCode, 200, code)
      assert.match(String(page.headers['content-type']), /^text\/html/)
      for (const part of [code, title, String(status)]) assert.ok(page.body.includes(part), part)
    }
  })

  await t.test(
    'is a page to a browser, and itself to a program, where there is neither a path nor a page',
    async () => {
      for (const path of ['/nothing', '/docs/nothing', '/parking/NONE', '/places/toilets/x', '/v1/nothing']) {
        const page = await openPage(app, path)
        assert.equal(page.statusCode, 404, path)
        assert.match(String(page.headers['content-type']), /^text\/html/, path)
        for (const accept of ['*/*', 'application/json', 'text/csv', undefined]) {
          const answer = await app.inject({ url: path, headers: accept === undefined ? {} : { accept } })
          assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8', path)
          assert.deepEqual([answer.statusCode, answer.json().code], [404, 'NOT_FOUND'], path)
        }
      }
    },
  )
})
