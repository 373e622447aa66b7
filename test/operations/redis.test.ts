import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Agent } from 'undici'
import { VEHICLES } from '../support/island.ts'
import { startProcess } from '../support/other-process.ts'
import { NO_REDIS, type RedisServer, startRedis } from '../support/redis.ts'
import { ask, type Serving } from '../support/serving.ts'
import { makeSite, type Site } from '../support/site.ts'
import { until } from '../support/until.ts'

/** Several, so that some are always waiting for Redis when it fails. */
const CLIENTS = 4

const FAULTS: [string, (redis: RedisServer) => unknown, (redis: RedisServer) => unknown][] = [
  ['killed', redis => redis.kill(), redis => redis.start()],
  ['frozen', redis => redis.freeze(), redis => redis.thaw()],
  [
    'made a replica, as after a fail-over',
    redis => redis.ask('REPLICAOF', '127.0.0.1', '1'),
    redis => redis.ask('REPLICAOF', 'NO', 'ONE'),
  ],
  [
    'out of memory',
    redis => redis.ask('CONFIG', 'SET', 'maxmemory', '1'),
    redis => redis.ask('CONFIG', 'SET', 'maxmemory', '0'),
  ],
  ['loading its script anew', redis => redis.ask('SCRIPT', 'FLUSH'), redis => redis.ask('SCRIPT', 'FLUSH')],
]

async function makeVehicleSite(t: TestContext): Promise<Site> {
  const site = await makeSite(t)
  await site.publish('vehicles', VEHICLES)
  return site
}

/** Whether requests are counted together, by the metrics: 1, 0 or nothing. */
const shared = async (serving: Serving) => (await serving.metrics()).get('pds_limits_shared')

const sharedIs = (serving: Serving, value: number) =>
  until(async () => (await shared(serving)) === value, `pds_limits_shared ${value}`)

/** The events about limits in the log. */
const events = ({ log }: Serving) =>
  log.map(({ event }) => String(event)).filter(event => event.startsWith('limits-'))

/** Asks without a pause until it is told to end; then gives the time of each answer, in milliseconds. */
function askOnAndOn(t: TestContext, url: string): { end(): Promise<number[]> } {
  const agent = new Agent({ connections: 1 })
  t.after(() => agent.destroy())
  const times: number[] = []
  let ended = false
  const asking = (async () => {
    while (!ended) {
      const from = performance.now()
      const { status, headers, text } = await ask(agent, `${url}/v1/vehicles?limit=1`)
      times.push(performance.now() - from)
      assert.equal(status, 200, text)
      assert.match(String(headers.ratelimit), /^"hourly";r=\d+;t=\d+$/)
    }
    return times
  })()
  return {
    end() {
      ended = true
      return asking
    },
  }
}

const rounded = (milliseconds = 0) => `${milliseconds.toFixed(1)} ms`

/** The slowest answer and the middle one, in words. */
function timesText(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b)
  return `median ${rounded(sorted[sorted.length >> 1])}, slowest ${rounded(sorted.at(-1))} of ${times.length}`
}

test('Redis fails in every way under load: no errors, and each failure is logged and recovers by itself', {
  skip: NO_REDIS,
}, async t => {
  const redis = await startRedis(t)
  const site = await makeVehicleSite(t)
  const serving = await site.serve({ REDIS_URL: redis.url, VEHICLES_RATE_LIMIT: '100000000' })
  await sharedIs(serving, 1)
  for (const [words, break_, correct] of FAULTS)
    await t.test(words, async t => {
      const before = events(serving).length
      const harmless = words.startsWith('loading')
      const clients = Array.from({ length: CLIENTS }, () => askOnAndOn(t, serving.url))
      await break_(redis)
      if (!harmless) await sharedIs(serving, 0)
      await correct(redis)
      const from = performance.now()
      await sharedIs(serving, 1)
      const back = performance.now() - from
      const times = await Promise.all(clients.map(client => client.end()))
      t.diagnostic(`answers: ${timesText(times.flat())}; counted together again after ${rounded(back)}`)
      if (harmless) return
      const told = events(serving).slice(before)
      assert.deepEqual([told[0], told.at(-1)], ['limits-alone', 'limits-shared'])
      // Once when it begins and once when it ends.
      assert.ok(told.every((event, index) => event !== told[index + 1]))
    })
  const series = await serving.metrics()
  const failed = (kind: string) => Number(series.get(`pds_redis_failures_total{kind="${kind}"}`)) > 0
  for (const kind of ['connection', 'timeout', 'readonly', 'memory']) assert.ok(failed(kind), kind)
  assert.ok(!failed('reply'))
})

test('only one request waits for a frozen Redis', { skip: NO_REDIS }, async t => {
  const redis = await startRedis(t)
  const site = await makeVehicleSite(t)
  const serving = await site.serve({ REDIS_URL: redis.url })
  redis.freeze()
  assert.equal((await serving.get('/v1/vehicles')).status, 200)
  assert.equal(await shared(serving), 0)
  const timeouts = async () =>
    Number((await serving.metrics()).get('pds_redis_failures_total{kind="timeout"}'))
  const [before, times] = [await timeouts(), [] as number[]]
  for (let count = 0; count < 300; count += 1) {
    const from = performance.now()
    assert.equal((await serving.get('/v1/vehicles')).status, 200)
    times.push(performance.now() - from)
  }
  t.diagnostic(`answers while it is frozen: ${timesText(times)}`)
  assert.ok((await timeouts()) - before < 100)
  redis.thaw()
  await sharedIs(serving, 1)
})

test('Redis is down at startup: the service starts, logs it, and uses Redis once it is up', {
  skip: NO_REDIS,
}, async t => {
  const redis = await startRedis(t)
  await redis.kill()
  const site = await makeVehicleSite(t)
  const serving = await site.serve({ REDIS_URL: redis.url })
  assert.equal((await serving.get('/v1/vehicles')).status, 200)
  assert.equal((await serving.admin('/readyz')).status, 200)
  assert.equal(await shared(serving), 0)
  const { level, kind, error } = serving.log.find(({ event }) => event === 'limits-alone') ?? assert.fail()
  assert.deepEqual([level, kind, error], [40, 'connection', 'the connection to Redis failed (ECONNREFUSED)'])
  await redis.start()
  await sharedIs(serving, 1)
  assert.deepEqual(events(serving).slice(0, 2), ['limits-alone', 'limits-shared'])
})

test('a wrong password is logged without the password itself, and consumers do not notice', {
  skip: NO_REDIS,
}, async t => {
  const redis = await startRedis(t)
  const site = await makeVehicleSite(t)
  const serving = await site.serve({ REDIS_URL: redis.url.replace('//', '//nobody:s3cret@') })
  assert.equal((await serving.get('/v1/vehicles')).status, 200)
  const { kind, error } = serving.log.find(({ event }) => event === 'limits-alone') ?? assert.fail()
  assert.deepEqual([kind, /WRONGPASS/.test(String(error))], ['rights', true])
  assert.ok(!JSON.stringify(serving.log).includes('s3cret'))
})

for (const state of ['answering', 'frozen', 'dead'])
  test(`SIGTERM while Redis is ${state}: the process ends with 0`, { skip: NO_REDIS }, async t => {
    const redis = await startRedis(t)
    const site = await makeVehicleSite(t)
    const serving = await site.serve({ REDIS_URL: redis.url })
    if (state === 'frozen') redis.freeze()
    if (state === 'dead') await redis.kill()
    assert.equal((await serving.get('/v1/vehicles')).status, 200)
    const { status, seconds } = await serving.stop()
    t.diagnostic(`ended after ${seconds.toFixed(1)} s`)
    assert.equal(status, 0)
  })

test('without REDIS_URL nothing of Redis is loaded, logged or measured', async t => {
  const site = await makeVehicleSite(t)
  const serving = await site.serve()
  assert.equal((await serving.get('/v1/vehicles')).status, 200)
  assert.equal(await shared(serving), undefined)
  assert.deepEqual(events(serving), [])
  // The second is imported once the releases are loaded.
  const [server, app] = ['server', 'app'].map(name =>
    JSON.stringify(import.meta.resolve(`../../src/app/${name}.ts`)),
  )
  const other = startProcess(
    t,
    '--input-type=module',
    '--eval',
    `import { createRequire } from 'node:module'
    await import(${server})
    await import(${app})
    const loaded = Object.keys(createRequire(${server}).cache)
    console.log(loaded.some(file => file.includes('/find-my-way/')), loaded.some(file => file.includes('/ioredis/')))`,
  )
  assert.equal(await other.nextLine(), 'true false')
})
