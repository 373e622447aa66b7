import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import * as upstreams from '../../../test/support/misbehaving-upstream.ts'
import { FetchError, type FetchErrorKind } from '../../sources/fetch/fetch-error.ts'
import { fetchFeed } from './fetch-feed.ts'
import { parseJsonText } from './mapping.ts'

/* A process of its own: it measures the memory of the process. */

const { answers, answersStatus, closedPort, entry, payload, startUpstream } = upstreams
const GOOD = payload([entry('GREENST', 332)])
const HALF_A_SECOND = { deadlineMs: 500 }

async function upstream(t: TestContext, behaviour: upstreams.Behaviour): Promise<upstreams.Upstream> {
  const started = await startUpstream(behaviour)
  t.after(() => started.close())
  return started
}

/** The failure of fetching and parsing. */
async function failure(url: string, options = {}): Promise<FetchErrorKind> {
  try {
    parseJsonText((await fetchFeed(url, options)).text ?? '')
  } catch (error) {
    assert.ok(error instanceof FetchError, `not a feed error: ${error}`)
    assert.doesNotMatch(error.message, /\n| {4}at /)
    return error.kind
  }
  throw new assert.AssertionError({ message: 'it did not fail' })
}

test('fetch: a good response, plain or in any requested coding', async t => {
  const server = await upstream(t, answers(GOOD))
  assert.equal((await fetchFeed(server.url)).text, GOOD)
  assert.equal(server.requests[0]?.['accept-encoding'], 'gzip, deflate, br')
  const sent = [gzipSync, deflateSync, deflateRawSync, brotliCompressSync].map(compress => compress(GOOD))
  const names = ['gzip', 'deflate', 'deflate', 'br']
  for (const [index, body] of sent.entries()) {
    server.behaviour = answers(body, { 'content-encoding': names[index] ?? '' })
    assert.equal((await fetchFeed(server.url)).text, GOOD, `${names[index]} ${index}`)
  }
})

test('fetch: a byte order mark, plain text as type, another charset, no type at all', async t => {
  const server = await upstream(t, answers(`\uFEFF${GOOD}`))
  assert.deepEqual(parseJsonText((await fetchFeed(server.url)).text ?? ''), JSON.parse(GOOD))
  server.behaviour = answers(Buffer.from('"Café"', 'latin1'), {
    'content-type': 'text/plain; charset=ISO-8859-1',
  })
  assert.equal((await fetchFeed(server.url)).text, '"Café"')
  server.behaviour = answers(GOOD, { 'content-type': 'application/geo+json; charset=unheard-of' })
  assert.equal((await fetchFeed(server.url)).text, GOOD)
  server.behaviour = (_, response) => response.end(GOOD)
  assert.equal((await fetchFeed(server.url)).text, GOOD)
})

test('fetch: sends conditional requests (RFC 9110 13.1.2, 13.1.3)', async t => {
  const server = await upstream(t, upstreams.answersConditionally(GOOD, '"one"'))
  const first = await fetchFeed(server.url)
  assert.deepEqual(first.validators, { etag: '"one"', lastModified: undefined })
  const second = await fetchFeed(server.url, first)
  assert.deepEqual(second, { text: undefined, validators: first.validators })
  const date = 'Sun, 04 Feb 2024 12:00:00 GMT'
  server.behaviour = answers(GOOD, { 'last-modified': date })
  const third = await fetchFeed(server.url)
  await fetchFeed(server.url, third)
  assert.equal(server.requests.at(-1)?.['if-modified-since'], date)
  assert.equal(server.requests.at(-1)?.['if-none-match'], undefined)
})

test('fetch: 304 to a question that was not conditional is a failure', async t => {
  const server = await upstream(t, answersStatus(304))
  assert.equal(await failure(server.url), 'status')
})

test('fetch: the credentials of the address are sent as such', async t => {
  const server = await upstream(t, answers(GOOD))
  await fetchFeed(server.url.replace('http://', 'http://user:p%40ss@'))
  assert.equal(server.requests[0]?.authorization, `Basic ${Buffer.from('user:p@ss').toString('base64')}`)
})

test('fetch: down, unknown name, reset, cut off, no TLS', async t => {
  assert.equal(await failure(await closedPort()), 'refused')
  // A label of more than 63 letters is invalid: it fails in the resolver, without a network request.
  assert.equal(await failure(`http://${'a'.repeat(64)}.invalid/`), 'refused')
  const server = await upstream(t, upstreams.resets)
  assert.equal(await failure(server.url), 'refused')
  server.behaviour = upstreams.breaksOff
  assert.equal(await failure(server.url), 'refused')
  assert.equal(await failure(server.url.replace('http:', 'https:'), HALF_A_SECOND), 'refused')
})

test('fetch: hanging and dripping responses end at the deadline, by default within 2 s', async t => {
  const server = await upstream(t, upstreams.drips)
  const start = performance.now()
  assert.equal(await failure(server.url), 'timeout')
  t.diagnostic(`dripping ended after ${Math.round(performance.now() - start)} ms`)
  assert.equal(await failure(server.url, HALF_A_SECOND), 'timeout')
  server.behaviour = upstreams.hangs
  assert.equal(await failure(server.url, HALF_A_SECOND), 'timeout')
})

test('fetch: the caller can end it, before and meanwhile', async t => {
  const stop = new AbortController()
  const server = await upstream(t, () => stop.abort(new Error('enough')))
  await assert.rejects(fetchFeed(server.url, { signal: stop.signal }), /enough/)
  await assert.rejects(fetchFeed(server.url, { signal: stop.signal }), /enough/)
  assert.equal(server.requests.length, 1)
})

test('fetch: statuses, types and bodies that are not the feed', async t => {
  const server = await upstream(t, answersStatus(500))
  const expected: [string, upstreams.Behaviour, FetchErrorKind][] = [
    ['500', answersStatus(500), 'status'],
    ['429', answersStatus(429, { 'retry-after': '60' }), 'status'],
    ['204', answersStatus(204), 'status'],
    ['HTML', answers('<html></html>', { 'content-type': 'text/html; charset=utf-8' }), 'type'],
    ['an image', answers('GIF89a', { 'content-type': 'image/gif' }), 'type'],
    ['an empty body', answers(''), 'unreadable'],
    ['cut JSON', answers(GOOD.slice(0, 100)), 'unreadable'],
    ['random bytes', answers(Buffer.from([0xff, 0xfe, 0x00, 0x9f, 0x92])), 'unreadable'],
    ['bytes that are not HTTP', upstreams.sendsGarbage, 'unreadable'],
    ['gzip that is none', answers(GOOD, { 'content-encoding': 'gzip' }), 'unreadable'],
    ['half a gzip', answers(gzipSync(GOOD).subarray(0, 40), { 'content-encoding': 'gzip' }), 'unreadable'],
    ['an encoding not asked for', answers(GOOD, { 'content-encoding': 'gzip, br' }), 'unreadable'],
    ['headers of 100 KB', answers(GOOD, { 'x-long': 'x'.repeat(100_000) }), 'too-large'],
    ['an announced 10 MB', answers('', { 'content-length': '10000000' }), 'too-large'],
  ]
  for (const [what, behaviour, kind] of expected) {
    server.behaviour = behaviour
    assert.equal(await failure(server.url), kind, what)
  }
})

test('fetch: only http and https', async () => {
  for (const address of [
    'file:///etc/hostname',
    'ftp://127.0.0.1/',
    'data:application/json,{}',
    'nonsense',
    '',
  ])
    assert.equal(await failure(address), 'refused', address)
})

/** The growth of memory, in MB; also reports how long the event loop was blocked. */
async function cost(t: TestContext, what: string, work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss()
  let longest = 0
  let last = performance.now()
  let over = false
  const turn = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
    if (!over) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  over = true
  turn()
  const grown = (process.memoryUsage.rss() - before) / 1e6
  t.diagnostic(`${what}: memory +${grown.toFixed(1)} MB, loop blocked ${Math.round(longest)} ms at most`)
  return grown
}

test('fetch: a huge body, deep JSON and a gzip bomb cost little', async t => {
  const server = await upstream(t, answers(gzipSync(GOOD), { 'content-encoding': 'gzip' }))
  await fetchFeed(server.url)
  const bomb = await upstreams.gzipBomb(300 * 1024 * 1024)
  const grown = async (what: string, behaviour: upstreams.Behaviour, kind: FetchErrorKind) => {
    server.behaviour = behaviour
    return cost(t, what, async () => assert.equal(await failure(server.url), kind))
  }
  const ofBomb = await grown(
    'gzip bomb of 300 MB',
    answers(bomb, { 'content-encoding': 'gzip' }),
    'too-large',
  )
  assert.ok(ofBomb < 40, `the bomb cost ${ofBomb} MB`)
  const ofHuge = await grown('body of 500 MB', upstreams.sendsBytes(500_000_000), 'too-large')
  assert.ok(ofHuge < 50, `the body cost ${ofHuge} MB`)
  const ofDeep = await grown('200,000 levels', answers(upstreams.deepJson(200_000)), 'unreadable')
  assert.ok(ofDeep < 50, `the depth cost ${ofDeep} MB`)
})
