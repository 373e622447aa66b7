import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND } from '../support/island.ts'
import { build } from '../support/service.ts'

/*
 * The fault: a header or spelling that a shared cache does not have in its key changes the response that all others get.
 * test/operations/nginx.test.ts tries the same through a cache.
 */

const EVIL = 'evil.example'

/** What must change nothing: neither a header nor a byte. */
const UNKEYED: Readonly<Record<string, string>>[] = [
  { host: EVIL },
  { host: `${EVIL}:8443` },
  { 'x-forwarded-host': EVIL, 'x-forwarded-server': EVIL, 'x-host': EVIL, 'x-http-host-override': EVIL },
  { 'x-forwarded-proto': 'gopher', 'x-forwarded-scheme': 'gopher', 'x-forwarded-port': '1' },
  { 'x-forwarded-prefix': '/evil', 'x-script-name': '/evil' },
  { forwarded: `for=192.0.2.1;host=${EVIL};proto=gopher`, 'x-forwarded-for': EVIL, 'x-real-ip': EVIL },
  { 'x-original-url': '/v1/nothing', 'x-rewrite-url': '/v1/nothing', 'x-override-url': '/v1/nothing' },
  { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE', 'x-method-override': 'DELETE' },
  { range: 'bytes=0-3' },
  { range: 'bytes=0-3', 'if-range': '"x"' },
  { origin: `https://${EVIL}`, referer: `https://${EVIL}/` },
  { cookie: `a=${EVIL}`, authorization: `Basic ${EVIL}`, 'accept-language': 'fr', 'user-agent': EVIL },
  { accept: 'application/json;q=0.1, */*;q=0.1' },
  { 'cache-control': 'no-cache', pragma: 'no-cache', te: 'trailers', 'max-forwards': '0' },
]

const PATHS = ['/', '/docs', '/openapi.json', '/v1/datasets', '/v1/toilets', '/v1/carparks/harbst']
const PAGES = ['/v1/vehicles?limit=1', '/v1/product-recalls?limit=1&page=2']
const WRONG = ['/v1/nothing', '/v1/vehicles?page=0', '/v1/carparks/nothing', '/v1/carparks/%zz']

/** `Date` and what remains of the client's quota are of the moment. */
function lasting(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { date: _date, ratelimit: _ratelimit, ...others } = headers
  return others
}

test('no header changes the response that others get', async t => {
  const { app } = await build(t, ISLAND)
  for (const url of [...PATHS, ...PAGES, ...WRONG])
    await t.test(url, async () => {
      const clean = await app.inject(url)
      for (const headers of UNKEYED) {
        const answer = await app.inject({ url, headers })
        const sent = JSON.stringify(headers)
        assert.equal(answer.statusCode, clean.statusCode, sent)
        assert.deepEqual(lasting(answer.headers), lasting(clean.headers), sent)
        assert.ok(answer.rawPayload.equals(clean.rawPayload), sent)
      }
      const head = await app.inject({ url, method: 'HEAD', headers: { host: EVIL } })
      assert.deepEqual([lasting(head.headers), head.body], [lasting(clean.headers), ''])
      assert.equal(clean.headers['set-cookie'], undefined)
      if (WRONG.includes(url)) assert.equal(clean.headers['cache-control'], 'no-store')
    })
})

test('order, defaults and unknown parameters change neither body nor tag', async t => {
  const { app } = await build(t, ISLAND)
  const clean = await app.inject('/v1/vehicles?limit=5&make=ford')
  for (const query of [
    'make=ford&limit=5',
    'limit=5&make=ford&page=1',
    'limit=5&make=%66ord',
    'limit=5&make=ford&utm_source=evil',
    'limit=5&make=ford&LIMIT=1',
    'limit=5&make=ford&callback=evil',
    '&&limit=5&make=ford&',
  ]) {
    const { headers, body } = await app.inject(`/v1/vehicles?${query}`)
    assert.deepEqual([headers.etag, body], [clean.headers.etag, clean.body], query)
  }
})

test('a header that does change the response is named in Vary, or the response is not stored', async t => {
  const { app } = await build(t, ISLAND)
  for (const [name, value] of [
    ['accept-encoding', 'br'],
    ['accept', 'text/csv'],
    ['prefer', 'handling=strict'],
  ] as const) {
    const { headers } = await app.inject({
      url: '/v1/vehicles?x=1',
      headers: { [name]: value },
    })
    if (headers['cache-control'] !== 'no-store')
      assert.match(String(headers.vary).toLowerCase(), new RegExp(name))
  }
  const applied = await app.inject({ url: '/v1/vehicles', headers: { prefer: 'handling=strict' } })
  assert.equal(applied.headers['preference-applied'], 'handling=strict')
  assert.match(String(applied.headers.vary), /\bPrefer\b/)
})
