import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HISTORY, NOW } from '../hostile/live-past.ts'
import { type ParsedResponse, parseResponses } from '../support/http-responses.ts'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { addressOf } from '../support/openapi.ts'
import { exchange, listen } from '../support/raw-http.ts'
import { build, TRACEPARENT } from '../support/service.ts'

/*
 * Rules of RFC 9110 and 9111 that every cache relies on, for each address on the wire, as linters of HTTP check them.
 * test/operations/varnish.test.ts tries what caches make of it.
 */

const PAGES = ['/', '/parking', '/docs', '/docs/api', '/docs/reference/problems', '/problems/not-found']
const STREAM = '/v1/carparks/live-spaces/stream'
const CODINGS = ['', 'gzip', 'br'] as const

/** Fields that a 304 has with the same value as its 200 (RFC 9110 15.4.5). */
const OF_304 = ['cache-control', 'content-location', 'date', 'etag', 'expires', 'vary']
/** Fields that no response has: others' state, the word of a cache, ranges that are not served, what is obsolete. */
const NEVER = [
  ...['set-cookie', 'age', 'via', 'warning', 'content-range', 'transfer-encoding'],
  ...['expires', 'pragma', 'content-md5', 'p3p', 'x-powered-by', 'server'],
]
const HTTP_DATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/
const DIRECTIVES = /^public, max-age=(\d+), s-maxage=(\d+), stale-if-error=\d+$/

const timeOf = (headers: ParsedResponse['headers'], name: string) => {
  const text = headers.get(name) ?? ''
  assert.match(text, HTTP_DATE, name)
  return Date.parse(text)
}

/** What holds for every response. */
function checkAny({ headers }: ParsedResponse): void {
  for (const name of NEVER) assert.equal(headers.get(name), undefined, name)
  assert.ok(Math.abs(timeOf(headers, 'date') - Date.now()) < 60_000)
  assert.match(headers.get('accept-ranges') ?? 'none', /^none$/)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
}

/** What holds for every response that a cache may store. */
function checkStorable({ headers, body }: ParsedResponse, coding: string): void {
  assert.match(headers.get('etag') ?? '', /^"[\x21\x23-\x7e]+"$/, 'a strong tag')
  if (headers.has('last-modified'))
    assert.ok(timeOf(headers, 'last-modified') <= timeOf(headers, 'date'), 'not later than the response')
  const isCoded = headers.has('content-encoding')
  assert.equal(headers.get('content-encoding') ?? '', isCoded ? coding : '')
  if (isCoded) assert.match(headers.get('vary') ?? '', /\bAccept-Encoding\b/)
  assert.notEqual(headers.get('vary'), '*')
  assert.match(headers.get('content-type') ?? '', /^[a-z]+\/[a-z.+-]+(; charset=utf-8)?$/)
  assert.ok(body.length > 0)
}

test('rules of HTTP for every address', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION, history: HISTORY, now: () => NOW })
  const { paths = {} } = app.document() as { paths?: Record<string, object> }
  // test/contract/bulk-files.test.ts holds files, which have ranges and one coding, to their own rules.
  const isOther = (path: string) => path === STREAM || path.endsWith('{file}')
  const data = Object.keys(paths).filter(path => !isOther(path) && path.startsWith('/v1/'))
  assert.ok(data.length > 15)
  const port = await listen(app)

  async function ask(method: string, path: string, headers: Readonly<Record<string, string>> = {}) {
    const fields = Object.entries({
      host: 'data.example',
      connection: 'close',
      traceparent: TRACEPARENT,
      ...headers,
    })
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const { bytes } = await exchange(port, `${method} ${path} HTTP/1.1\r\n${lines}\r\n`)
    const responses = parseResponses(bytes, { mayBeHead: method === 'HEAD' })
    assert.equal(responses.length, 1)
    const [response = assert.fail()] = responses
    checkAny(response)
    return response
  }

  const lasting = ({ headers }: ParsedResponse) => {
    const all = Object.fromEntries(headers)
    const { date: _, ratelimit: __, ...others } = all
    return others
  }

  for (const path of [...data.map(addressOf), ...PAGES])
    await t.test(path, async () => {
      const tags = new Set<string>()
      for (const coding of CODINGS) {
        const accepted = coding === '' ? {} : { 'accept-encoding': coding }
        const full = await ask('GET', path, accepted)
        assert.equal(full.status, 200)
        checkStorable(full, coding)
        const { headers } = full
        if (path.startsWith('/v1/')) {
          const [, maxAge, shared] = DIRECTIVES.exec(headers.get('cache-control') ?? '') ?? []
          assert.ok(maxAge !== undefined && maxAge === shared, headers.get('cache-control'))
          assert.match(headers.get('vary') ?? '', /\bPrefer\b/)
          assert.ok(headers.has('last-modified'))
        }
        tags.add(`${headers.get('etag')} ${headers.get('content-encoding')}`)

        const head = await ask('HEAD', path, accepted)
        assert.deepEqual([head.status, lasting(head), head.body], [200, lasting(full), ''])

        const etag = headers.get('etag') ?? ''
        const again = await ask('GET', path, { ...accepted, 'if-none-match': `W/${etag}` })
        assert.deepEqual([again.status, again.body], [304, ''])
        for (const name of OF_304.filter(name => name !== 'date'))
          assert.equal(again.headers.get(name), headers.get(name), name)
        for (const name of ['content-length', 'content-encoding', 'content-type'])
          assert.equal(again.headers.get(name), undefined, `${name} in a 304`)

        const part = await ask('GET', path, { ...accepted, range: 'bytes=0-3', 'if-range': etag })
        assert.deepEqual([part.status, part.body], [200, full.body], 'a range may be ignored (14.2)')
      }
      assert.equal(new Set([...tags].map(tag => tag.split(' ')[0])).size, tags.size, 'a tag for each coding')
    })

  for (const [path, status] of [
    ['/v1/nothing', 404],
    ['/v1/carparks/nothing', 404],
    ['/v1/vehicles?page=0', 400],
    ['/v1/carparks/%zz', 400],
    [`/v1/carparks/${'x'.repeat(101)}`, 414],
  ] as const)
    await t.test(`${path.slice(0, 40)} is an error that no cache stores`, async () => {
      const error = await ask('GET', path, { 'if-none-match': '*' })
      assert.equal(error.status, status)
      assert.equal(error.headers.get('cache-control'), 'no-store')
      for (const name of ['etag', 'last-modified']) assert.equal(error.headers.get(name), undefined)
      assert.deepEqual(lasting(await ask('HEAD', path)), lasting(await ask('GET', path)))
    })
})
