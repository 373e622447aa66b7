import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { VEHICLES } from '../support/island.ts'
import { build } from '../support/service.ts'

const HOUR_MS = 3_600_000

async function buildLimited(t: TestContext, environment: Record<string, string> = {}) {
  const options = { environment: { VEHICLES_RATE_LIMIT: '3', ...environment } }
  const { app } = await build(t, { vehicles: VEHICLES }, options)
  return (request: object = {}) =>
    app.inject({ url: '/v1/vehicles', remoteAddress: '203.0.113.1', ...request })
}

type Ask = Awaited<ReturnType<typeof buildLimited>>

/** How many requests the client may still make, by the answer to one more. */
async function remaining(ask: Ask, request: object = {}): Promise<number> {
  const { headers } = await ask(request)
  const [, left] = /^"hourly";r=(\d+);t=\d+$/.exec(String(headers.ratelimit)) ?? []
  return Number(left)
}

test('each response has the limit and the remaining requests', async t => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2024-05-01T00:00:00Z') })
  const ask = await buildLimited(t)
  for (const left of [2, 1, 0]) {
    const { statusCode, headers } = await ask()
    assert.equal(statusCode, 200)
    assert.equal(headers['ratelimit-policy'], '"hourly";q=3;w=3600')
    assert.equal(headers.ratelimit, `"hourly";r=${left};t=3600`)
    assert.equal(headers['x-ratelimit-limit'], undefined)
  }
})

test('requests beyond the limit get 429 until the hour is over', async t => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2024-05-01T00:00:00Z') })
  const ask = await buildLimited(t)
  for (let request = 0; request < 3; request += 1) await ask()
  t.mock.timers.tick(HOUR_MS - 10_000)
  const refused = await ask()
  assert.equal(refused.statusCode, 429)
  assert.equal(refused.headers['content-type'], 'application/problem+json; charset=utf-8')
  assert.equal(refused.headers['cache-control'], 'no-store')
  assert.equal(refused.headers['retry-after'], '10')
  assert.equal(refused.headers.ratelimit, '"hourly";r=0;t=10')
  assert.equal(refused.json().code, 'RATE_LIMITED')
  t.mock.timers.tick(10_001)
  assert.equal((await ask()).statusCode, 200)
})

test('counts every request to the list: HEAD, 304, errors', async t => {
  const ask = await buildLimited(t, { VEHICLES_RATE_LIMIT: '10' })
  const { headers } = await ask()
  await ask({ method: 'HEAD' })
  assert.equal((await ask({ headers: { 'if-none-match': headers.etag } })).statusCode, 304)
  await ask({ url: '/v1/vehicles?page=0' })
  await ask({ url: '/v1/vehicles/' })
  assert.equal(await remaining(ask), 4)
})

test('does not count other endpoints', async t => {
  const ask = await buildLimited(t)
  const others = [
    '/v1/vehicles/makes',
    '/v1/vehicles/stats/colors',
    '/v1/toilets',
    '/v1/carparks/live-spaces',
  ]
  for (const url of [...others, '/v1/datasets', '/openapi.json', '/']) {
    const { headers } = await ask({ url })
    assert.equal(headers.ratelimit, undefined, url)
    assert.equal(headers['ratelimit-policy'], undefined, url)
  }
  await ask({ method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } })
  await ask({ method: 'POST' })
  assert.equal(await remaining(ask), 2)
})

test('counts by client: an IPv4 address, or the /64 of an IPv6 one', async t => {
  const ask = await buildLimited(t)
  const from = (remoteAddress: string) => remaining(ask, { remoteAddress })
  assert.equal(await from('203.0.113.1'), 2)
  assert.equal(await from('203.0.113.2'), 2)
  assert.equal(await from('::ffff:203.0.113.2'), 1)
  assert.equal(await from('2001:db8:1:2::1'), 2)
  assert.equal(await from('2001:db8:1:2:ffff:ffff:ffff:ffff'), 1)
  assert.equal(await from('2001:DB8:1:2:0:0:0:3'), 0)
  assert.equal(await from('2001:db8:1:3::1'), 2)
})

test('ignores X-Forwarded-For by default', async t => {
  const ask = await buildLimited(t)
  for (const left of [2, 1, 0])
    assert.equal(await remaining(ask, { headers: { 'x-forwarded-for': `198.51.100.${left}` } }), left)
})

test('trusts X-Forwarded-For only from the proxies in TRUST_PROXY', async t => {
  const ask = await buildLimited(t, { TRUST_PROXY: '10.0.0.0/8, 192.0.2.1' })
  const from = (remoteAddress: string, forwarded: string) =>
    remaining(ask, { remoteAddress, headers: { 'x-forwarded-for': forwarded } })
  assert.equal(await from('10.1.2.3', '198.51.100.1'), 2)
  assert.equal(await from('10.9.9.9', '198.51.100.1'), 1)
  assert.equal(await from('10.1.2.3', '198.51.100.2'), 2)
  // What a client writes before the proxy adds its address means nothing.
  assert.equal(await from('10.1.2.3', '203.0.113.200, 198.51.100.2'), 1)
  assert.equal(await from('10.1.2.3', '198.51.100.2, 192.0.2.1'), 0)
  assert.equal(await from('203.0.113.9', '198.51.100.9'), 2)
  assert.equal(await from('203.0.113.9', '198.51.100.10'), 1)
})

test('junk and ports in X-Forwarded-For make no client of their own', async t => {
  const ask = await buildLimited(t, { TRUST_PROXY: '10.0.0.0/8' })
  const statuses = async (forwarded: (index: number) => string) => {
    const asked = Array.from({ length: 200 }, (_, index) =>
      ask({ remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': forwarded(index) } }),
    )
    const answers = await Promise.all(asked)
    return answers.filter(({ statusCode }) => statusCode === 200).length
  }
  assert.equal(await statuses(index => `junk-${index}`), 3)
  assert.equal(await statuses(index => `198.51.100.1:${1024 + index}`), 3)
  assert.equal(await statuses(index => `[2001:db8::${index}]:${1024 + index}`), 3)
})

test('0 disables the limit', async t => {
  const ask = await buildLimited(t, { VEHICLES_RATE_LIMIT: '0' })
  const { statusCode, headers } = await ask()
  assert.equal(statusCode, 200)
  assert.equal(headers.ratelimit, undefined)
})
