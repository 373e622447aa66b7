import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ISLAND } from '../support/island.ts'
import { answers, entry, payload, startUpstream } from '../support/misbehaving-upstream.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'
import { NO_VARNISH, startVarnish } from '../support/varnish.ts'
import { clientOf, type Got, type Headers } from '../support/whole-responses.ts'

/*
 * A cache that knows nothing of the service: Varnish as it comes does what the headers say, as CDNs do. The committed nginx
 * is in nginx.test.ts, what the headers must be in test/contract/http-rules.test.ts.
 */

const PATHS = [
  ...[
    '/v1/vehicles?make=ford&limit=2',
    '/v1/vehicles/makes',
    '/v1/toilets',
    '/v1/carparks/harbst',
    '/v1/datasets',
  ],
  ...['/v1/product-recalls', '/openapi.json', '/docs', '/docs/api/listVehicles', '/parking', '/'],
]
const LIVE = '/v1/carparks/live-spaces'
const CODINGS = ['', 'gzip', 'br', 'br;q=0, gzip;q=0.5']

/** Varnish names two requests where it had a response already: this one, and the one for which it asked. */
const isHit = ({ headers }: Got) => /^\d+ \d+$/.test(headers['x-varnish'] ?? '')
const maxAge = ({ headers }: Got) => Number(/s-maxage=(\d+)/.exec(headers['cache-control'] ?? '')?.[1])

/** What is the same whoever sends it: all but what belongs to a connection, to one client or to Varnish itself. */
function lasting({ headers }: Got): Headers {
  const others = [
    'connection',
    'keep-alive',
    'date',
    'ratelimit',
    'x-varnish',
    'age',
    'via',
    'accept-ranges',
    'server-timing',
  ]
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !others.includes(name)))
}

/** An instance with a feed, and Varnish in front of it. */
async function begin(t: TestContext, parameters: Readonly<Record<string, string>>) {
  const feed = await startUpstream(answers(payload([entry('HARBST', 100)], new Date().toISOString())))
  t.after(() => feed.close())
  const site = await makeSite(t)
  for (const [dataset, content] of Object.entries(ISLAND)) await site.publish(dataset, content)
  const service = await site.serve({
    ...{ LIVE_FEED_URL: feed.url, LIVE_FEED_INTERVAL_S: '1', LOG_LEVEL: 'info', VEHICLES_RATE_LIMIT: '0' },
  })
  await until(async () => (await service.get(LIVE)).status === 200, 'the first reading')
  const origin = await startVarnish(t, service.url, parameters)
  const asked = (path: string, status: number) =>
    service.log.filter(line => line.path === path && line.status === status).length
  return { site, asked, get: clientOf(t, origin), direct: clientOf(t, service.url) }
}

// What is too old is asked for again with its tag, and never given out meanwhile: the headers allow nothing else.
const STRICT = { default_grace: '0', default_keep: '60' }

test('Varnish as it comes, in front of an instance', { skip: NO_VARNISH }, async t => {
  const { site, asked, get, direct } = await begin(t, { ...STRICT, http_gzip_support: 'off' })

  await t.test('stores each coding and preference apart, and gives it out to the byte', async () => {
    for (const path of PATHS)
      for (const coding of CODINGS)
        for (const prefer of ['', 'handling=strict']) {
          const headers = { 'accept-encoding': coding, ...(prefer && { prefer }) }
          const expected = await direct(path, headers)
          assert.equal(expected.status, 200, path)
          const first = await get(path, headers)
          const again = await get(path, headers)
          const head = await get(path, headers, 'HEAD')
          // Pages that are to be asked for each time have max-age=0.
          assert.deepEqual(
            [isHit(again), isHit(head)],
            maxAge(expected) > 0 ? [true, true] : [false, false],
            path,
          )
          for (const got of [first, again, head]) assert.deepEqual(lasting(got), lasting(expected), path)
          assert.ok(first.body.equals(expected.body) && again.body.equals(expected.body), path)
        }
  })

  await t.test('responds from its store to conditional requests and ranges', async () => {
    for (const coding of CODINGS) {
      const accepted = { 'accept-encoding': coding }
      const full = await get('/v1/toilets', accepted)
      const etag = String(full.headers.etag)
      const unchanged = await get('/v1/toilets', { ...accepted, 'if-none-match': etag })
      assert.deepEqual([unchanged.status, isHit(unchanged), unchanged.body.length], [304, true, 0])
      for (const name of ['cache-control', 'etag', 'vary', 'date', 'last-modified'])
        assert.equal(unchanged.headers[name], full.headers[name], name)
      // A strong tag is what makes parts of different responses safe to put together (RFC 9110 13.1.5).
      const part = await get('/v1/toilets', { ...accepted, range: 'bytes=3-9', 'if-range': etag })
      assert.deepEqual([part.status, part.body], [206, full.body.subarray(3, 10)])
      const other = await get('/v1/toilets', { ...accepted, range: 'bytes=3-9', 'if-range': '"other"' })
      assert.deepEqual([other.status, other.body], [200, full.body])
    }
  })

  await t.test('stores the formats of one address apart', async () => {
    const path = `${LIVE}/history?from=2024-01-01&to=2024-01-02`
    for (let times = 0; times < 2; times++)
      for (const type of ['application/json', 'text/csv']) {
        const got = await get(path, { accept: type })
        assert.deepEqual([got.status, got.headers['content-type']?.split(';')[0]], [200, type])
        assert.equal(isHit(got), times > 0)
      }
  })

  await t.test('stores no error, also of a request that would be right for others', async () => {
    for (const [path, headers] of [
      ['/v1/nothing', {}],
      ['/v1/vehicles?page=0', {}],
      ['/v1/recycling?x=1', { prefer: 'handling=strict' }],
      ['/v1/defibrillators', { accept: 'image/png' }],
    ] as const) {
      for (let times = 0; times < 2; times++) {
        const error = await get(path, headers)
        assert.deepEqual([isHit(error), error.headers['cache-control']], [false, 'no-store'], path)
        assert.ok(error.status >= 400)
      }
    }
    assert.equal((await get('/v1/recycling?x=1')).status, 200)
    assert.equal((await get('/v1/defibrillators')).status, 200)
  })

  await t.test(
    'gives out live spaces no longer than they may be kept, and then asks by their tag',
    async () => {
      await until(async () => {
        const live = await get(LIVE)
        assert.equal(live.status, 200)
        assert.ok(Number(live.headers.age) <= maxAge(live), `${live.headers.age} of ${maxAge(live)} s`)
        return asked(LIVE, 304) > 0
      }, 'an answer whose reading has not changed')
    },
  )

  await t.test('tells how old a response is', async () => {
    const old = await until(async () => {
      const got = await get('/v1/toilets')
      return Number(got.headers.age) >= 1 && got
    }, 'a response a second old')
    const seconds = (Date.now() - Date.parse(String(old.headers.date))) / 1000
    assert.ok(Number(old.headers.age) <= seconds + 1)
  })

  await t.test('shows a new release where nothing is stored, and the old one whole where it is', async () => {
    const before = await get('/v1/toilets', { 'accept-encoding': '' })
    await site.publish('toilets', ISLAND.toilets.slice(1))
    await until(async () => (await direct('/v1/toilets')).headers.etag !== before.headers.etag, 'the release')
    const stored = await get('/v1/toilets', { 'accept-encoding': '' })
    assert.deepEqual([stored.headers.etag, stored.body], [before.headers.etag, before.body])
    const fresh = await get('/v1/toilets?new')
    assert.equal(fresh.headers.etag, (await direct('/v1/toilets')).headers.etag)
    assert.notDeepEqual(fresh.body, before.body)
  })
})

test('Varnish that unpacks gzip for clients without it', { skip: NO_VARNISH }, async t => {
  const { get, direct } = await begin(t, STRICT)
  const path = '/openapi.json'
  const plain = await direct(path)
  const packed = await get(path, { 'accept-encoding': 'gzip' })
  const unpacked = await get(path)
  assert.equal(packed.headers['content-encoding'], 'gzip')
  assert.deepEqual([unpacked.headers['content-encoding'], unpacked.body], [undefined, plain.body])
  // What it made of one response is no byte for byte copy of another, and the service does not take it for one.
  assert.equal(unpacked.headers.etag, `W/${packed.headers.etag}`)
  const condition = { 'if-none-match': String(unpacked.headers.etag) }
  assert.equal((await get(path, condition)).status, 304)
  assert.equal((await direct(path, condition)).status, 200)
  assert.equal((await direct(path, { ...condition, 'accept-encoding': 'gzip' })).status, 304)
})
