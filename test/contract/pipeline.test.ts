import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, request } from 'node:http'
import { test } from 'node:test'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { listen } from '../support/raw-http.ts'
import { build, type TestApp, TRACEPARENT } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A response, apart from what belongs to the connection and the second. */
interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const withoutHop = ({ date: _, connection: __, 'keep-alive': ___, ...headers }: IncomingHttpHeaders) =>
  headers

function overSocket(
  port: number,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { host: 'data.example', traceparent: TRACEPARENT, ...headers },
    }
    const sent = request(options, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: withoutHop(response.headers),
          body: Buffer.concat(chunks).toString('latin1'),
        }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}

async function byInjection(app: TestApp, url: string, headers: Record<string, string>): Promise<Received> {
  const response = await app.inject({ url, headers: { host: 'data.example', ...headers } })
  return {
    status: response.statusCode,
    headers: withoutHop(response.headers as IncomingHttpHeaders),
    body: response.rawPayload.toString('latin1'),
  }
}

const ADDRESSES = [
  '/v1/toilets',
  '/v1/recycling',
  '/v1/defibrillators',
  '/v1/carparks',
  '/v1/product-recalls?limit=1&page=2',
  '/v1/carparks/HARBST',
  '/v1/carparks/harbst',
  '/v1/carparks/live-spaces',
  '/v1/carparks/live-spaces?includeCarparkInfo=true',
  '/v1/vehicles',
  '/v1/vehicles?page=2&limit=3',
  '/v1/vehicles?color=r%C3%A9d&make=FORD',
  '/v1/vehicles?make=ford&page=1&limit=30',
  '/v1/vehicles?startDate=2000-01-01&endDate=2020-12-31&dateType=regInJersey',
  '/v1/vehicles/makes',
  '/v1/vehicles/stats/makes?startDate=2001-01-01',
  '/v1/vehicles/colors',
  '/v1/vehicles/stats/colors?endDate=2015/12/31',
  '/v1/datasets',
]

const HEADERS: Record<string, string>[] = [
  {},
  { accept: '*/*' },
  { accept: 'application/json', origin: 'https://elsewhere.example' },
  { 'accept-encoding': 'gzip, deflate, br' },
  { 'accept-encoding': 'gzip' },
  { 'accept-encoding': 'identity;q=0' },
  { 'if-none-match': '"nothing"' },
  { 'if-none-match': '*' },
  { 'if-modified-since': new Date(Date.now() + 1000).toUTCString() },
  { 'if-modified-since': 'yesterday' },
]

/** A service that makes every response anew, and one that keeps them. */
const MODES = { cached: { RESPONSE_CACHE_MB: '64' }, uncached: { RESPONSE_CACHE_MB: '0' } }

for (const [mode, environment] of Object.entries(MODES))
  test(`${mode}: a response is the same the first time and repeated, over a socket and injected`, async t => {
    const options = { observation: OBSERVATION, synthetic: true }
    const { app } = await build(t, ISLAND, {
      ...options,
      environment: { VEHICLES_RATE_LIMIT: '0', ...environment },
    })
    const port = await listen(app)
    for (const path of ADDRESSES) {
      for (const headers of HEADERS) {
        const first = await overSocket(port, path, headers)
        assert.deepEqual(await overSocket(port, path, headers), first, path)
        assert.deepEqual(await byInjection(app, path, headers), first, path)
      }
    }
  })

test('a request with the current ETag gets 304 before any work, cached or not', async t => {
  for (const environment of Object.values(MODES)) {
    const { app } = await build(t, ISLAND, { environment: { VEHICLES_RATE_LIMIT: '0', ...environment } })
    for (const path of ['/v1/vehicles?make=ford', '/v1/vehicles/makes?startDate=2001-01-01', '/v1/toilets']) {
      for (const coding of ['identity', 'gzip', 'br']) {
        const { headers } = await byInjection(app, path, { 'accept-encoding': coding })
        const conditions = { 'accept-encoding': coding, 'if-none-match': String(headers.etag) }
        const again = await byInjection(app, path, conditions)
        assert.equal(again.status, 304, path)
        for (const name of ['etag', 'cache-control', 'vary', 'last-modified'])
          assert.equal(again.headers[name], headers[name], name)
      }
    }
    const wrong = await byInjection(app, '/v1/vehicles?fuelType=WOOD', { 'if-none-match': '*' })
    assert.equal(wrong.status, 400)
  }
})

test('each response is logged once, with its route, whatever the outcome', async t => {
  const { app, responses } = await build(t, ISLAND, { environment: { VEHICLES_RATE_LIMIT: '1' } })
  const requests: [path: string, headers: Record<string, string>, route: string, status: number][] = [
    ['/v1/vehicles?page=0', {}, '/v1/vehicles', 400],
    ['/v1/vehicles', {}, '/v1/vehicles', 429],
    ['/v1/vehicles/makes?startDate=2020-01-02&endDate=2020-01-01', {}, '/v1/vehicles/makes', 400],
    ['/v1/toilets?x=1', {}, '/v1/toilets', 200],
    ['/v1/toilets?x=1', { prefer: 'handling=strict' }, '/v1/toilets', 400],
    ['/v1/toilets', { accept: 'image/png' }, '/v1/toilets', 406],
    ['/v1/toilets/', {}, '/v1/toilets', 200],
    ['/v1/carparks/HARB%53T', {}, '/v1/carparks/:idOrCode', 200],
    ['/v1/carparks/HARBST/', {}, '/v1/carparks/:idOrCode', 200],
    ['/v1/carparks/nowhere', {}, '/v1/carparks/:idOrCode', 404],
    ['/v1/nothing', {}, 'unknown', 404],
    ['/v1/carparks/%zz', {}, 'unreadable', 400],
    [`/v1/carparks/${'x'.repeat(101)}`, {}, 'unreadable', 414],
  ]
  for (const [path, headers, route, status] of requests) {
    const before = responses.length
    assert.equal((await byInjection(app, path, headers)).status, status, path)
    assert.equal(responses.length, before + 1)
    const record = responses.at(-1) ?? assert.fail()
    assert.deepEqual([record.route, record.url, record.status], [route, path, status])
    assert.ok(record.ms >= 0 && record.ms < 10_000)
  }
})

test('equivalent paths and queries share one cached response', async t => {
  const { app } = await build(t, ISLAND, { environment: { VEHICLES_RATE_LIMIT: '0' } })
  const spellings = [
    '/v1/carparks/HARBST',
    '/v1/carparks/harb%53t',
    '/v1/carparks/HARBST/?',
    '/v1/carparks/%48arbst',
  ]
  const tags = await Promise.all(spellings.map(async url => (await byInjection(app, url, {})).headers.etag))
  assert.equal(new Set(tags).size, 1)
})

test('under overload what is not cached is OVERLOADED, and what is cached is served', async t => {
  const { app, responses } = await build(t, ISLAND, {
    ...{ environment: { VEHICLES_RATE_LIMIT: '0' }, loadShedding: { timeSliceMs: 0, maxWaitMs: -1 } },
  })
  const port = await listen(app)
  const uncached = [
    '/v1/vehicles?make=ford',
    '/v1/vehicles/colors?startDate=2001-01-01',
    '/v1/product-recalls?limit=1',
    '/v1/carparks/HARBST/typical',
  ]
  for (const path of uncached) {
    const refused = await overSocket(port, path, { accept: 'application/json' })
    assert.deepEqual([refused.status, responses.at(-1)?.problem], [503, 'OVERLOADED'])
    assert.equal(JSON.parse(refused.body).code, 'OVERLOADED')
    assert.deepEqual(refused, await byInjection(app, path, { accept: 'application/json' }))
  }
  const cached = async () => (await overSocket(port, '/v1/toilets', {})).status === 200
  await until(cached, 'the list that is cached after the start')
  assert.equal((await overSocket(port, '/v1/toilets', {}, 'HEAD')).status, 200)
})
