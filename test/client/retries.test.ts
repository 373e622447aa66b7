import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createClient, ProblemError } from '../../client/src/index.ts'
import {
  answers,
  answersStatus,
  type Behaviour,
  breaksOff,
  closedPort,
  hangs,
  resets,
  startUpstream,
} from '../support/misbehaving-upstream.ts'
import { until } from '../support/until.ts'

const GOOD = answers('{"results":[]}')

/** A client of a server that behaves in these ways in turn, the last one for ever; its waits are noted and take no time. */
async function clientOf(t: TestContext, behaviours: readonly Behaviour[], retries?: number) {
  const upstream = await startUpstream((request, response) => {
    const turn = Math.min(upstream.requests.length, behaviours.length) - 1
    behaviours[turn]?.(request, response)
  })
  t.after(() => upstream.close())
  const waits: number[] = []
  const client = createClient({
    baseUrl: new URL(upstream.url).origin,
    ...(retries !== undefined && { retries }),
    wait: async ms => void waits.push(ms),
  })
  return { client, upstream, waits, ask: () => client.GET('/v1/toilets') }
}

const between = (value: number | undefined, low: number, high: number) =>
  assert.ok(value !== undefined && value >= low && value <= high, `${value} is not in ${low}…${high}`)

test('what fails for a passing reason is asked again, after the time that the service names', async t => {
  const inTenSeconds = () => new Date(Date.now() + 10_000).toUTCString()
  for (const [name, behaviour, low, high] of [
    ['429 in seconds', answersStatus(429, { 'retry-after': '7' }), 7000, 8000],
    ['503 by a date', answersStatus(503, { 'retry-after': inTenSeconds() }), 8000, 12_000],
    ['503 by a date that has passed', answersStatus(503, { 'retry-after': new Date(0).toUTCString() }), 0, 0],
    ['429 by RateLimit', answersStatus(429, { ratelimit: '"hourly";r=0;t=9' }), 9000, 10_000],
    ['503 without a time', answersStatus(503), 250, 500],
    ['a date that is none', answersStatus(503, { 'retry-after': 'soon' }), 250, 500],
    ['a connection that is reset', resets, 250, 500],
    ['an answer that is cut', breaksOff, 250, 500],
  ] as const)
    await t.test(name, async t => {
      const { ask, upstream, waits } = await clientOf(t, [behaviour, GOOD])
      assert.deepEqual((await ask()).data, { results: [] })
      assert.equal(upstream.requests.length, 2)
      between(waits[0], low, high)
    })
})

test('each further wait is longer, and the last error is thrown', async t => {
  const { ask, waits, upstream } = await clientOf(t, [answersStatus(503)])
  await assert.rejects(ask, { name: 'ProblemError', status: 503, code: undefined })
  assert.equal(upstream.requests.length, 4)
  for (const [index, ms] of waits.entries()) between(ms, 250 * 2 ** index, 500 * 2 ** index)
})

test('nothing else is asked again', async t => {
  for (const [name, behaviour, retries] of [
    ['400', answersStatus(400), 3],
    ['404', answersStatus(404), 3],
    ['500', answersStatus(500), 3],
    ['an hour to wait', answersStatus(429, { 'retry-after': '3599' }), 3],
    ['no retries wanted', answersStatus(503), 0],
  ] as const)
    await t.test(name, async t => {
      const { ask, upstream } = await clientOf(t, [behaviour, GOOD], retries)
      await assert.rejects(ask, ProblemError)
      assert.equal(upstream.requests.length, 1)
    })
  const { ask } = await clientOf(t, [answersStatus(429, { 'retry-after': '3599' })])
  await assert.rejects(ask, { retryAfter: 3599 })
})

test('a page of a proxy is an error too, and JSON that is none is not asked for again', async t => {
  const proxy = await clientOf(t, [
    (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
  ])
  await assert.rejects(proxy.ask, (error: unknown) => {
    assert.ok(error instanceof ProblemError)
    assert.deepEqual([error.status, error.code, error.errors], [502, undefined, []])
    assert.match(error.message, /\/v1\/toilets gave 502/)
    return true
  })
  const garbled = await clientOf(t, [answers('<html>')])
  await assert.rejects(garbled.ask, SyntaxError)
  assert.equal(garbled.upstream.requests.length, 1)
})

test('a signal ends a call that hangs or waits, that of the client or of the call', async t => {
  const upstream = await startUpstream(hangs)
  t.after(() => upstream.close())
  const baseUrl = new URL(upstream.url).origin
  for (const ofCall of [true, false]) {
    const before = upstream.requests.length
    const controller = new AbortController()
    const { signal } = controller
    const client = createClient({ baseUrl, ...(!ofCall && { signal }) })
    const call = client.GET('/v1/toilets', ofCall ? { signal } : {})
    await until(() => upstream.requests.length > before, 'the request')
    controller.abort()
    await assert.rejects(call, { name: 'AbortError' })
  }
  upstream.behaviour = answersStatus(503, { 'retry-after': '50' })
  const controller = new AbortController()
  const before = upstream.requests.length
  const call = createClient({ baseUrl, signal: controller.signal }).GET('/v1/toilets')
  await until(() => upstream.requests.length > before, 'the request')
  controller.abort()
  await assert.rejects(call, { name: 'AbortError' })
  assert.equal(upstream.requests.length, before + 1)
})

test('a wrong address is said at once; one where nothing listens after the retries', async () => {
  assert.throws(() => createClient({ baseUrl: 'data.example' }), /Invalid URL/)
  const client = createClient({ baseUrl: new URL(await closedPort()).origin, wait: async () => {} })
  await assert.rejects(client.GET('/v1/toilets'), TypeError)
})
