import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, request } from 'node:http'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'

/** What comes out for a request, apart from what belongs to the connection and the second. */
interface Came {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const withoutHop = ({ date: _, connection: __, 'keep-alive': ___, ...headers }: IncomingHttpHeaders) =>
  headers

/** Over a socket, where plain requests go past the framework. */
function overSocket(
  port: number,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<Came> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, path, method, headers: { host: 'data.example', ...headers } },
      response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: withoutHop(response.headers),
            body: Buffer.concat(chunks).toString('latin1'),
          }),
        )
      },
    )
    asked.on('error', reject)
    asked.end()
  })
}

/** By injection, which knows nothing but the framework. */
async function byFramework(
  app: FastifyInstance,
  url: string,
  headers: Record<string, string>,
): Promise<Came> {
  const {
    statusCode,
    headers: got,
    rawPayload,
  } = await app.inject({ url, headers: { host: 'data.example', ...headers } })
  return {
    status: statusCode,
    headers: withoutHop(got as IncomingHttpHeaders),
    body: rawPayload.toString('latin1'),
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

const DIRECT_HEADERS: Record<string, string>[] = [
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

test('the way past the framework answers what the framework does', async t => {
  const environment = { VEHICLES_RATE_LIMIT: '0' }
  const { app, direct } = await build(t, ISLAND, { environment, observation: OBSERVATION, synthetic: true })
  const port = await listen(app)
  // What every answer carries is learnt from the first that the framework gives.
  await overSocket(port, '/v1/datasets', {})
  assert.equal(direct.length, 0)

  await t.test('status, headers and bytes, for a first question and for one asked again', async () => {
    for (const path of ADDRESSES) {
      for (const headers of DIRECT_HEADERS) {
        const before = direct.length
        const first = await overSocket(port, path, headers)
        const again = await overSocket(port, path, headers)
        assert.equal(direct.length, before + 2, `${path} did not go past the framework`)
        const framework = await byFramework(app, path, headers)
        assert.deepEqual(first, framework, path)
        assert.deepEqual(again, framework, path)
      }
    }
  })

  await t.test('a copy is found good by its own tag, in each coding', async () => {
    for (const coding of ['identity', 'gzip', 'br']) {
      const { headers } = await overSocket(port, '/v1/vehicles', { 'accept-encoding': coding })
      const conditions = { 'accept-encoding': coding, 'if-none-match': String(headers.etag) }
      const again = await overSocket(port, '/v1/vehicles', conditions)
      assert.equal(again.status, 304)
      assert.deepEqual(again, await byFramework(app, '/v1/vehicles', conditions))
    }
  })

  await t.test('the log and the metrics are told of each', () => {
    const last = direct.at(-1) ?? assert.fail()
    assert.deepEqual([last.route, last.url, last.status], ['/v1/vehicles', '/v1/vehicles', 304])
    assert.ok(last.ms >= 0 && last.ms < 10_000)
  })

  await t.test('what is not plain, is wrong, or is ignored is left to the framework', async () => {
    const before = direct.length
    const left: [string, Record<string, string>, number][] = [
      ['/v1/vehicles?page=0', {}, 400],
      ['/v1/vehicles?startDate=2020-01-02&endDate=2020-01-01', {}, 400],
      ['/v1/vehicles?fuelType=WOOD', {}, 400],
      ['/v1/vehicles?mak=ford', {}, 200],
      ['/v1/toilets?x=1', { prefer: 'handling=strict' }, 400],
      ['/v1/toilets', { prefer: 'handling=strict' }, 200],
      ['/v1/toilets', { accept: 'image/png' }, 406],
      ['/v1/nothing', {}, 404],
      ['/v1/toilets/', {}, 200],
      ['/v1/carparks/HARB%53T', {}, 200],
      ['/v1/carparks/HARBST/', {}, 200],
      ['/v1/carparks/nowhere', {}, 404],
      [`/v1/carparks/${'x'.repeat(101)}`, {}, 414],
    ]
    for (const [path, headers, status] of left) {
      const came = await overSocket(port, path, headers)
      assert.equal(came.status, status, path)
      assert.deepEqual(came, await byFramework(app, path, headers), path)
    }
    assert.equal((await overSocket(port, '/v1/toilets', {}, 'HEAD')).status, 200)
    assert.equal((await overSocket(port, '/v1/toilets', { 'content-length': '0' })).status, 200)
    assert.equal((await overSocket(port, '/v1/toilets', {}, 'DELETE')).status, 405)
    assert.equal(direct.length, before)
  })
})

test('a limited address is never answered past the limit', async t => {
  const { app, direct } = await build(t, ISLAND, { environment: { VEHICLES_RATE_LIMIT: '3' } })
  const port = await listen(app)
  await overSocket(port, '/v1/toilets', {})
  const statuses: number[] = []
  for (let i = 0; i < 5; i++) statuses.push((await overSocket(port, '/v1/vehicles', {})).status)
  assert.deepEqual(statuses, [200, 200, 200, 429, 429])
  assert.equal(direct.length, 0)
  assert.equal((await overSocket(port, '/v1/vehicles/makes', {})).status, 200)
  assert.equal(direct.length, 1)
})

test('what is turned away in overload is told so past the framework, in the same words', async t => {
  const { app, direct } = await build(t, ISLAND, {
    ...{ environment: { VEHICLES_RATE_LIMIT: '0' }, admission: { turnMs: 0, waitMs: -1 } },
  })
  const port = await listen(app)
  await overSocket(port, '/v1/datasets', {})
  for (const path of ['/v1/vehicles?make=ford', '/v1/vehicles/colors?startDate=2001-01-01']) {
    const before = direct.length
    const refused = await overSocket(port, path, { accept: 'application/json' })
    assert.equal(direct.length, before + 1)
    assert.deepEqual([refused.status, direct.at(-1)?.status], [503, 503])
    assert.equal(JSON.parse(refused.body).code, 'OVERLOADED')
    assert.deepEqual(refused, await byFramework(app, path, { accept: 'application/json' }))
  }
})
