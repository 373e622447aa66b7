import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Agent, request } from 'undici'
import { VEHICLES } from '../support/island.ts'
import { NO_REDIS, startRedis } from '../support/redis.ts'
import { sumOf } from '../support/series.ts'
import type { Serving } from '../support/serving.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'

/** Instances of the service on one store and one Redis, each a process of its own, behind a proxy that is believed. */
async function startInstances(t: TestContext, number: number, environment: Record<string, string> = {}) {
  const redis = await startRedis(t)
  const site = await makeSite(t)
  await site.publish('vehicles', VEHICLES)
  const settings = { REDIS_URL: redis.url, TRUST_PROXY: '127.0.0.1', ...environment }
  const instances = await Promise.all(Array.from({ length: number }, () => site.serve(settings)))
  const dispatcher = new Agent({ connections: 40 })
  t.after(() => dispatcher.destroy())
  /** Asks one of the instances, in turn, as a client. */
  const ask = async (
    turn: number,
    client: string,
    { path = '/v1/vehicles', ...options }: AskOptions = {},
  ) => {
    const { url } = instances[turn % number] ?? assert.fail()
    const headers = { 'x-forwarded-for': client, ...options.headers }
    const { statusCode, body, ...answer } = await request(url + path, { ...options, headers, dispatcher })
    return { status: statusCode, headers: answer.headers, text: await body.text() }
  }
  return { redis, instances, ask }
}

interface AskOptions {
  readonly path?: string
  readonly method?: 'GET' | 'HEAD'
  readonly headers?: Readonly<Record<string, string>>
}

type Answered = Awaited<ReturnType<Awaited<ReturnType<typeof startInstances>>['ask']>>

/** What an answer says of the limit: allowed, remaining, seconds. */
function standing({ headers }: Answered): { q: number; r: number; t: number } {
  const [, q] = /^"hourly";q=(\d+);w=3600$/.exec(String(headers['ratelimit-policy'])) ?? []
  const [, r, t] = /^"hourly";r=(\d+);t=(\d+)$/.exec(String(headers.ratelimit)) ?? []
  return { q: Number(q), r: Number(r), t: Number(t) }
}

/** Whether an instance counts together with others, and how often Redis failed it. */
async function limits(serving: Serving): Promise<{ shared: boolean; failures: number }> {
  const series = await serving.metrics()
  return {
    shared: series.get('pds_limits_shared') === 1,
    failures: sumOf(series, 'pds_redis_failures_total'),
  }
}

const allLimits = (instances: readonly Serving[]) => Promise.all(instances.map(limits))

/**
 * Does something during which Redis answers all instances in time, which is when the limit is exact. A machine that
 * runs many tests may keep Redis waiting for longer: then it is done again, with another number.
 */
async function inGoodHealth<T>(
  instances: readonly Serving[],
  work: (number: number) => Promise<T>,
): Promise<T> {
  for (let number = 1; number <= 20; number += 1) {
    await until(async () => (await allLimits(instances)).every(({ shared }) => shared), 'counting together')
    const before = await allLimits(instances)
    const done = await work(number)
    try {
      assert.deepEqual(await allLimits(instances), before)
      return done
    } catch {}
  }
  return assert.fail('Redis did not reply in time, twenty times in a row')
}

test('of 700 concurrent requests to three instances exactly 600 succeed, and the others get Retry-After', {
  skip: NO_REDIS,
}, async t => {
  const { instances, ask } = await startInstances(t, 3)
  const answers = await inGoodHealth(instances, number =>
    Promise.all(Array.from({ length: 700 }, (_, turn) => ask(turn, `203.0.113.${number}`))),
  )
  const allowed = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status === 429)
  assert.deepEqual([allowed.length, refused.length], [600, 100])
  // Each of them was given another place in the count.
  const remaining = allowed.map(answer => standing(answer).r).sort((a, b) => b - a)
  assert.deepEqual(
    remaining,
    Array.from({ length: 600 }, (_, index) => 599 - index),
  )
  for (const answer of refused) {
    const { q, r, t: seconds } = standing(answer)
    assert.deepEqual([q, r], [600, 0])
    assert.ok(seconds > 3000 && seconds <= 3600)
    assert.equal(answer.headers['retry-after'], String(seconds))
    assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8')
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal(JSON.parse(answer.text).code, 'RATE_LIMITED')
  }
  assert.equal((await ask(0, '203.0.113.99')).status, 200)
  assert.equal((await ask(0, '203.0.113.1', { path: '/v1/vehicles/makes' })).status, 200)
})

test('counts the same requests as a single instance: HEAD, 304 and errors, by IPv4 address or the /64 of IPv6', {
  skip: NO_REDIS,
}, async t => {
  const { instances, ask } = await startInstances(t, 2, { VEHICLES_RATE_LIMIT: '10' })
  const answers = await inGoodHealth(instances, async number => {
    const [client, network] = [`203.0.113.${number}`, `2001:db8:${number}`]
    const first = await ask(0, client)
    const headers = { 'if-none-match': String(first.headers.etag) }
    return [
      first,
      await ask(1, client, { method: 'HEAD' }),
      await ask(0, client, { headers }),
      await ask(1, client, { path: '/v1/vehicles?page=0' }),
      await ask(0, `::ffff:${client}`, { path: '/v1/vehicles/' }),
      await ask(1, client),
      await ask(0, `${network}:2::1`),
      await ask(1, `${network.toUpperCase()}:2:ffff:ffff:ffff:ffff`),
      await ask(0, `${network}:3::1`),
    ]
  })
  assert.deepEqual(
    answers.map(answer => [answer.status, standing(answer).r]),
    [
      ...[200, 200, 304, 400, 200, 200].map((status, index) => [status, 9 - index]),
      ...[9, 8, 9].map(left => [200, left]),
    ],
  )
})

test('without Redis each instance allows its share and says so; when Redis is back they count together', {
  skip: NO_REDIS,
}, async t => {
  const settings = { VEHICLES_RATE_LIMIT: '5', RATE_LIMIT_INSTANCES: '2' }
  const { redis, instances, ask } = await startInstances(t, 2, settings)
  const askInTurn = async (turns: readonly number[], client: string) => {
    const answers = []
    for (const turn of turns) answers.push(await ask(turn, client))
    return answers.map(answer => [answer.status, standing(answer).q, standing(answer).r])
  }
  await redis.kill()
  await until(async () => (await allLimits(instances)).every(({ shared }) => !shared), 'counting alone')
  for (const turn of [0, 1])
    assert.deepEqual(await askInTurn([turn, turn, turn, turn], '203.0.113.99'), [
      [200, 3, 2],
      [200, 3, 1],
      [200, 3, 0],
      [429, 3, 0],
    ])
  await redis.start()
  const together = await inGoodHealth(instances, number =>
    askInTurn([0, 1, 0, 1, 0, 1], `203.0.113.${number}`),
  )
  assert.deepEqual(together, [...[4, 3, 2, 1, 0].map(left => [200, 5, left]), [429, 5, 0]])
})
