import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { freePort } from '../../test/support/free-port.ts'
import { NO_REDIS, startRedis } from '../../test/support/redis.ts'
import { type CountingInstance, startCounting } from '../../test/support/shared-counts.ts'
import { until } from '../../test/support/until.ts'
import type { FailureKind } from './redis-failure.ts'
import { PATIENCE_MS, type SharedCounts } from './shared-counts.ts'

const HOUR_MS = 3_600_000

/** Blocks the event loop. */
function stayBusy(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

const names = ({ events }: CountingInstance) => events.map(({ event }) => event)
const back = (counts: SharedCounts) => until(() => counts.metrics().shared, 'counting together again')

test('all instances count together, whichever is first and however many count at once', {
  skip: NO_REDIS,
}, async t => {
  const redis = await startRedis(t)
  const instances = await Promise.all([1, 2, 3].map(() => startCounting(t, redis.url)))
  const asked = Array.from({ length: 900 }, (_, index) => instances[index % 3]?.count('somebody', HOUR_MS))
  const counted = (await Promise.all(asked)).map(standing => standing?.count ?? 0)
  assert.deepEqual(
    counted.sort((a, b) => a - b),
    Array.from({ length: 900 }, (_, index) => index + 1),
  )
  const another = await instances[0]?.count('somebody else', HOUR_MS)
  assert.equal(another?.count, 1)
})

test('the window starts with the first request and is not extended; then a new one starts', {
  skip: NO_REDIS,
}, async t => {
  const redis = await startRedis(t)
  const counts = await startCounting(t, redis.url)
  const first = await counts.count('somebody', 400)
  const second = await until(async () => {
    const standing = await counts.count('somebody', 400)
    return standing && standing.millisecondsLeft < 300 && standing
  }, 'time passing')
  assert.ok(first && first.millisecondsLeft <= 400 && second.count > 1)
  assert.ok(await until(async () => (await counts.count('somebody', 400))?.count === 1, 'the next window'))
})

test('no client can be read from Redis, and nothing stays for longer than the window', {
  skip: NO_REDIS,
}, async t => {
  const redis = await startRedis(t)
  const counts = await startCounting(t, redis.url)
  await counts.count('/v1/vehicles 203.0.113.77', HOUR_MS)
  const keys = (await redis.ask('KEYS', '*')) as string[]
  assert.ok(keys.length > 0)
  for (const key of keys) {
    assert.match(key, /^pds:limit:(trial|[\w-]{22})$/)
    const left = Number(await redis.ask('PTTL', key))
    assert.ok(left > 0 && left <= HOUR_MS, `${key} ${left}`)
  }
  // A key that lost its expiry gets a new one.
  for (const key of keys) await redis.ask('PERSIST', key)
  const standing = await counts.count('/v1/vehicles 203.0.113.77', HOUR_MS)
  assert.deepEqual(standing, { count: 2, millisecondsLeft: HOUR_MS })
})

test('a Redis without the script, as after a restart, gets it again', { skip: NO_REDIS }, async t => {
  const redis = await startRedis(t)
  const counts = await startCounting(t, redis.url)
  await redis.ask('SCRIPT', 'FLUSH')
  assert.equal((await counts.count('somebody', HOUR_MS))?.count, 1)
  assert.deepEqual(names(counts), ['limits-shared'])
})

const LITTLE = ['~pds:limit:*', '+eval', '+evalsha', '+incr', '+pttl', '+pexpire'] as const

type Server = Awaited<ReturnType<typeof startRedis>>
const FAULTS: [string, FailureKind, (redis: Server) => unknown, (redis: Server) => unknown][] = [
  ['is killed', 'connection', redis => redis.kill(), redis => redis.start()],
  ['is frozen', 'timeout', redis => redis.freeze(), redis => redis.thaw()],
  [
    'has become a replica',
    'readonly',
    redis => redis.ask('REPLICAOF', '127.0.0.1', '1'),
    redis => redis.ask('REPLICAOF', 'NO', 'ONE'),
  ],
  [
    'has no memory left',
    'memory',
    redis => redis.ask('CONFIG', 'SET', 'maxmemory', '1'),
    redis => redis.ask('CONFIG', 'SET', 'maxmemory', '0'),
  ],
  [
    'takes the user away',
    'rights',
    redis => redis.ask('ACL', 'DELUSER', 'limiter'),
    redis => redis.ask('ACL', 'SETUSER', 'limiter', 'on', '>secret', ...LITTLE),
  ],
]

for (const [words, kind, break_, correct] of FAULTS)
  test(`Redis ${words}: each instance counts alone and no request waits, until it is back`, {
    skip: NO_REDIS,
  }, async t => {
    const redis = await startRedis(t, '--user', 'limiter', 'on', '>secret', ...LITTLE)
    const counts = await startCounting(t, redis.url.replace('//', '//limiter:secret@'))
    assert.equal((await counts.count('somebody', HOUR_MS))?.count, 1)

    await break_(redis)
    await until(async () => (await counts.count('somebody', HOUR_MS)) === undefined, 'the fault')
    await until(() => counts.metrics().failures[kind] > 0, kind)
    const failures = () => Object.values(counts.metrics().failures).reduce((sum, count) => sum + count)
    const before = failures()
    // All in one turn: a request that waits for Redis would cause another failure.
    const many = await Promise.all(Array.from({ length: 1000 }, () => counts.count('somebody', HOUR_MS)))
    assert.ok(many.every(standing => standing === undefined))
    assert.equal(failures(), before)
    assert.equal(counts.metrics().shared, false)

    await correct(redis)
    const from = performance.now()
    await back(counts)
    t.diagnostic(`counted together again ${Math.round(performance.now() - from)} ms after Redis was back`)
    assert.ok(await until(() => counts.count('somebody', HOUR_MS)))
    assert.deepEqual(names(counts), ['limits-shared', 'limits-alone', 'limits-shared'])
    assert.ok(!JSON.stringify(counts.events).includes('secret'))
  })

test('a database that Redis does not have is a failure, and not another database', {
  skip: NO_REDIS,
}, async t => {
  const redis = await startRedis(t)
  const counts = await startCounting(t, `${redis.url}/16`)
  assert.equal(await counts.count('somebody', HOUR_MS), undefined)
  assert.ok(counts.metrics().failures.reply > 0)
  const other = await startCounting(t, `${redis.url}/15`)
  assert.equal((await other.count('somebody', HOUR_MS))?.count, 1)
  assert.match(String(await redis.ask('INFO', 'keyspace')), /^db15:/m)
  assert.doesNotMatch(String(await redis.ask('INFO', 'keyspace')), /^db0:/m)
})

test('Redis is down at startup: the start continues, and Redis is used once it is up', {
  skip: NO_REDIS,
}, async t => {
  const redis = await startRedis(t)
  await redis.kill()
  const counts = await startCounting(t, redis.url)
  assert.equal(await counts.count('somebody', HOUR_MS), undefined)
  assert.match(String(counts.events[0]?.error), /ECONNREFUSED/)
  await redis.start()
  await back(counts)
  assert.deepEqual(names(counts), ['limits-alone', 'limits-shared'])
})

const COUNTED = '*2\r\n:1\r\n:1000\r\n'
const STRANGE: [string, FailureKind, (socket: Socket) => unknown][] = [
  ['a text', 'reply', socket => socket.write('+OK\r\n')],
  ['a list of one', 'reply', socket => socket.write('*1\r\n:1\r\n')],
  ['a count of none', 'reply', socket => socket.write('*2\r\n:0\r\n:1000\r\n')],
  ['no end of the window', 'reply', socket => socket.write('*2\r\n:1\r\n:-1\r\n')],
  ['that it is still loading', 'reply', socket => socket.write('-LOADING Redis is loading\r\n')],
  ['what is not its protocol', 'reply', socket => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['half an answer', 'timeout', socket => socket.write(COUNTED.slice(0, 9))],
  ['nothing', 'timeout', () => {}],
  ['by closing the connection', 'connection', socket => socket.end()],
  ['by resetting the connection', 'connection', socket => socket.resetAndDestroy()],
]

for (const [words, kind, answer] of STRANGE)
  test(`what answers ${words} is not used, until it replies correctly`, async t => {
    let behaviour = answer
    const server = createServer(socket => {
      socket.on('error', () => {})
      socket.on('data', () => behaviour(socket))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    const { port } = server.address() as AddressInfo
    const counts = await startCounting(t, `redis://127.0.0.1:${port}`)
    assert.equal(await counts.count('somebody', HOUR_MS), undefined)
    assert.ok(counts.metrics().failures[kind] > 0, JSON.stringify(counts.metrics()))
    behaviour = socket => socket.write(COUNTED)
    await back(counts)
    assert.deepEqual(await counts.count('somebody', HOUR_MS), { count: 1, millisecondsLeft: 1000 })
    behaviour = answer
    assert.equal(await counts.count('somebody', HOUR_MS), undefined)
    assert.deepEqual(names(counts), ['limits-alone', 'limits-shared', 'limits-alone'])
  })

test('a process that was busy for longer than Redis may take does not blame Redis', {
  skip: NO_REDIS,
}, async t => {
  const redis = await startRedis(t)
  const counts = await startCounting(t, redis.url, PATIENCE_MS)
  const counting = counts.count('somebody', HOUR_MS)
  stayBusy(200)
  assert.equal((await counting)?.count, 1)
})

test('a process that is busy while connecting reports what Redis did, not a timeout', {
  skip: NO_REDIS,
}, async t => {
  const redis = await startRedis(t)
  const connecting = startCounting(t, redis.url)
  // Once the client library is loaded, it connects in one of the next turns.
  await import('ioredis')
  setImmediate(stayBusy, 600)
  assert.deepEqual(names(await connecting), ['limits-shared'])

  await redis.kill()
  const refused = startCounting(t, redis.url)
  setImmediate(stayBusy, 600)
  assert.match(String((await refused).events[0]?.error), /ECONNREFUSED/)
})

test('close ends it at once in any state, and nothing is tried after that', { skip: NO_REDIS }, async t => {
  const redis = await startRedis(t)
  const sharing = await startCounting(t, redis.url)
  sharing.close()
  assert.equal(await sharing.count('somebody', HOUR_MS), undefined)
  assert.deepEqual([sharing.metrics().shared, names(sharing)], [false, ['limits-shared']])

  const alone = await startCounting(t, `redis://127.0.0.1:${await freePort()}`)
  alone.close()
  assert.deepEqual([alone.metrics().shared, names(alone)], [false, ['limits-alone']])
})
