import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent, request } from 'undici'
import { type Instance, startFleet } from '../support/fleet.ts'
import { VEHICLES } from '../support/island.ts'
import { NO_REDIS, startRedis } from '../support/redis.ts'
import { startRoundRobin } from '../support/round-robin.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const ASKED = 700
const ALLOWED = 600
/** Redis may be kept waiting by a machine that is busy otherwise; then it is done again, with another client. */
const ATTEMPTS = 10

const FAILURES = ['connection', 'timeout', 'reply'].map(kind => `pds_redis_failures_total{kind="${kind}"}`)

/** How often Redis failed any of them; the limit is exact while that is never. */
async function failures(fleet: readonly Instance[]): Promise<number> {
  const counts = await Promise.all(
    fleet.flatMap(({ metric }) => FAILURES.map(async series => (await metric(series)) ?? 0)),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

test(`of ${ASKED} requests of one client through the proxy to three instances exactly ${ALLOWED} succeed`, {
  skip: NO_REDIS,
}, async t => {
  const redis = await startRedis(t)
  const site = await makeSite(t)
  await site.publish('vehicles', VEHICLES)
  const fleet = await startFleet(t, 3, {
    ...{ DATABASE_URL: `sqlite:${site.data}`, REDIS_URL: redis.url },
    ...{ TRUST_PROXY: '127.0.0.1', RATE_LIMIT_INSTANCES: '3' },
  })
  const proxy = await startRoundRobin(t, fleet)
  const dispatcher = new Agent({ connections: 40 })
  t.after(() => dispatcher.destroy())
  const ask = async (client: string) => {
    const headers = { 'x-forwarded-for': client }
    const {
      statusCode,
      headers: answered,
      body,
    } = await request(`${proxy.url}/v1/vehicles?limit=1`, {
      headers,
      dispatcher,
    })
    return { status: statusCode, retryAfter: Number(answered['retry-after']), text: await body.text() }
  }
  for (let attempt = 1; ; attempt++) {
    const shared = async () => Promise.all(fleet.map(({ metric }) => metric('pds_limits_shared')))
    await until(async () => (await shared()).every(value => value === 1), 'counting together')
    const before = await failures(fleet)
    const answers = await Promise.all(Array.from({ length: ASKED }, () => ask(`203.0.113.${attempt}`)))
    if ((await failures(fleet)) > before && attempt < ATTEMPTS) continue
    const refused = answers.filter(({ status }) => status === 429)
    assert.equal(answers.filter(({ status }) => status === 200).length, ALLOWED)
    assert.equal(refused.length, ASKED - ALLOWED)
    for (const { retryAfter, text } of refused) {
      assert.ok(retryAfter > 3000 && retryAfter <= 3600)
      assert.equal(JSON.parse(text).code, 'RATE_LIMITED')
    }
    assert.equal((await ask('203.0.113.99')).status, 200)
    return
  }
})
