import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { ISLAND, OBSERVATION, TOILETS } from '../support/island.ts'
import { build, publish } from '../support/service.ts'
import { until } from '../support/until.ts'

const LARGE = '/v1/vehicles'

test('validators and caching (RFC 9110, RFC 9111)', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION })
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

  await t.test('each content coding has a strong tag of its own and the same content', async () => {
    const plain = await get(LARGE)
    const gzip = await get(LARGE, { 'accept-encoding': 'gzip' })
    const brotli = await get(LARGE, { 'accept-encoding': 'br, gzip;q=0.5' })
    const tags = [plain, gzip, brotli].map(({ headers }) => String(headers.etag))
    for (const tag of tags) assert.match(tag, /^"[\x21\x23-\x7e]+"$/)
    assert.equal(new Set(tags).size, 3)
    assert.equal(gunzipSync(gzip.rawPayload).toString(), plain.body)
    assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), plain.body)
    assert.deepEqual(
      [gzip, brotli].map(({ headers }) => headers['content-encoding']),
      ['gzip', 'br'],
    )
  })

  await t.test('If-None-Match answers 304 with the headers of the 200 and without a body', async () => {
    for (const coding of ['identity', 'gzip', 'br']) {
      const full = await get(LARGE, { 'accept-encoding': coding })
      const etag = String(full.headers.etag)
      for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await get(LARGE, { 'accept-encoding': coding, 'if-none-match': condition })
        assert.equal(again.statusCode, 304, condition)
        assert.equal(again.body, '')
        for (const name of ['etag', 'cache-control', 'last-modified', 'vary', 'link'])
          assert.equal(again.headers[name], full.headers[name], name)
      }
      const other = await get(LARGE, { 'accept-encoding': coding, 'if-none-match': '"other"' })
      assert.equal(other.statusCode, 200)
    }
  })

  await t.test(
    'a 304 has all links of its 200 or none: a cache replaces the links that it keeps',
    async () => {
      const { app: fresh } = await build(t, ISLAND)
      for (const url of ['/v1/vehicles?limit=1', '/v1/vehicles?limit=1001', '/v1/product-recalls.csv']) {
        const { headers } = await get(url)
        const again = await fresh.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
        assert.equal(again.statusCode, 304, url)
        assert.ok([undefined, headers.link].includes(again.headers.link), `${url}: ${again.headers.link}`)
      }
    },
  )

  await t.test('If-Modified-Since is looked at where there is no If-None-Match', async () => {
    const { headers } = await get('/v1/toilets')
    const modified = String(headers['last-modified'])
    const before = new Date(Date.parse(modified) - 1000).toUTCString()
    const status = async (conditions: Record<string, string>) =>
      (await get('/v1/toilets', conditions)).statusCode
    assert.equal(await status({ 'if-modified-since': modified }), 304)
    assert.equal(await status({ 'if-modified-since': before }), 200)
    assert.equal(await status({ 'if-modified-since': 'yesterday' }), 200)
    assert.equal(await status({ 'if-modified-since': modified, 'if-none-match': '"other"' }), 200)
  })

  await t.test('HEAD has the headers of GET, length included, and no body', async () => {
    const addresses = [
      '/v1/vehicles',
      '/v1/vehicles/makes',
      '/v1/carparks/harbst',
      '/v1/carparks/live-spaces',
    ]
    for (const url of [
      ...addresses,
      '/v1/datasets',
      '/openapi.json',
      '/',
      '/v1/nothing',
      '/v1/toilets?a=%',
    ]) {
      for (const coding of ['identity', 'gzip', 'br']) {
        const headers = { 'accept-encoding': coding }
        const get = await app.inject({ url, headers })
        const head = await app.inject({ method: 'HEAD', url, headers })
        // That errors have none either shows on the wire alone: test/hostile/raw-http.test.ts.
        if (get.statusCode === 200) assert.equal(head.body, '')
        assert.equal(head.statusCode, get.statusCode)
        assert.deepEqual(lasting(head.headers), lasting(get.headers), `${url} in ${coding}`)
      }
    }
  })

  await t.test('each dataset may be kept as long as the design says', async () => {
    const maxAges = {
      ...{ '/v1/vehicles': 86_400, '/v1/vehicles/makes': 86_400, '/v1/vehicles/stats/colors': 86_400 },
      ...{ '/v1/carparks': 3600, '/v1/carparks/harbst': 3600, '/v1/toilets': 3600, '/v1/recycling': 3600 },
      ...{ '/v1/defibrillators': 3600, '/v1/product-recalls': 3600, '/v1/carparks/live-spaces': 42 },
    }
    for (const [url, maxAge] of Object.entries(maxAges)) {
      const { headers } = await get(url)
      assert.match(
        String(headers['cache-control']),
        new RegExp(`^public, max-age=${maxAge}, s-maxage=${maxAge}, stale-if-error=\\d+$`),
        url,
      )
      const isOffered = !['/v1/carparks/harbst', '/v1/carparks/live-spaces'].includes(url)
      assert.equal(headers.vary, `${isOffered ? 'Accept, ' : ''}Accept-Encoding, Prefer`)
      assert.match(String(headers['last-modified']), /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
    }
  })

  /** The scripts, stylesheets and pictures that a page loads. */
  const partsOf = async (page: string): Promise<string[]> => {
    const { body } = await get(page)
    return [...body.matchAll(/(?:src|rel="[^"]*" .*?href)="(\/[^"]*)"/g)].map(([, path]) => String(path))
  }

  await t.test('pages for browsers have a validator too, and one that is current costs no body', async () => {
    const pages = ['/', '/parking', '/docs', '/docs/api', '/problems/not-found']
    const parts = ['/openapi.json', ...(await Promise.all(pages.map(partsOf))).flat()]
    assert.ok(parts.length > 8, parts.join())
    for (const url of new Set([...pages, ...parts])) {
      const { statusCode, headers } = await get(url)
      assert.equal(statusCode, 200, url)
      assert.match(String(headers.etag), /^"[^"]+"$/, url)
      const again = await get(url, { 'if-none-match': String(headers.etag) })
      assert.deepEqual([again.statusCode, again.body], [304, ''], url)
    }
  })

  await t.test('queries that ask the same share a tag, others do not', async () => {
    const tag = async (query: string) => (await get(`/v1/vehicles?${query}`)).headers.etag
    const asked = await tag('make=ford&limit=5&startDate=2010-02-01')
    for (const same of [
      'startDate=2010-02-01&limit=5&make=ford',
      'make=ford&limit=05&startDate=2010/02/01&page=1',
      'make=ford&limit=5&startDate=2010-02-01T10:00:00Z&utm_source=x&match=contains',
    ])
      assert.equal(await tag(same), asked, same)
    for (const other of ['make=ford&limit=5', 'make=ford&limit=6&startDate=2010-02-01', ''])
      assert.notEqual(await tag(other), asked, other)
  })

  await t.test('errors are kept by nobody', async () => {
    const errors = ['/v1/nothing', '/v1/vehicles?page=0', '/v1/carparks/nothing', '/v1/carparks/%zz']
    for (const url of errors) assert.equal((await get(url)).headers['cache-control'], 'no-store', url)
    const refused = await get('/v1/toilets', { accept: 'image/png', 'if-none-match': '*' })
    assert.equal(refused.headers['cache-control'], 'no-store')
    assert.equal(refused.headers.etag, undefined)
  })
})

/** Headers that do not change from one moment to the next. */
function lasting(headers: object): object {
  const { date: _, ratelimit: __, ...rest } = headers as Record<string, unknown>
  return rest
}

const HOUR_MS = 3_600_000

// The clock stands still, so that waiting for a release would never give up by itself.
const PATIENCE = { timeout: 60_000 }

test('a new release has another ETag, and a rollback moves Last-Modified forward', PATIENCE, async t => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2024-05-01T00:00:00Z') })
  const { app, store, snapshots } = await build(t, { toilets: TOILETS })
  const get = (headers = {}) => app.inject({ url: '/v1/toilets', headers })
  const served = (number: number) =>
    until(() => snapshots.get('toilets')?.release.number === number, `release ${number}`)
  const first = await get()

  t.mock.timers.tick(HOUR_MS)
  await publish(store, 'toilets', TOILETS.slice(1))
  await served(2)
  const second = await get()
  assert.notEqual(second.headers.etag, first.headers.etag)
  assert.equal((await get({ 'if-none-match': first.headers.etag })).statusCode, 200)

  t.mock.timers.tick(HOUR_MS)
  await store.releases.makeCurrent('toilets', 1)
  await served(1)
  const again = await get()
  assert.equal(again.body, first.body)
  assert.equal(again.headers.etag, first.headers.etag)
  assert.deepEqual(
    [first, second, again].map(({ headers }) => headers['last-modified']),
    ['Wed, 01 May 2024 00:00:00 GMT', 'Wed, 01 May 2024 01:00:00 GMT', 'Wed, 01 May 2024 02:00:00 GMT'],
  )
  // Whoever has the release that was taken back must not be told that nothing has changed.
  assert.equal((await get({ 'if-modified-since': second.headers['last-modified'] })).statusCode, 200)
})
