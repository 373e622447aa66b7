import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../test/support/free-port.ts'
import { NO_REDIS, startCluster, startRedis, startSentinel } from '../../test/support/redis.ts'
import { startCounting } from '../../test/support/shared-counts.ts'
import { until } from '../../test/support/until.ts'

const HOUR_MS = 3_600_000

test('a cluster: clients are spread over all primaries, counted exactly, and nobody waits for one that is frozen', {
  skip: NO_REDIS,
}, async t => {
  const nodes = await startCluster(t)
  const [first, second, third] = nodes.map(({ port }) => `127.0.0.1:${port}`)
  const addresses = [`redis://${first},${second}`, `redis+cluster://${third}`]
  const instances = await Promise.all(addresses.map(address => startCounting(t, address)))
  const clients = Array.from({ length: 30 }, (_, index) => `client ${index}`)
  const each = () =>
    Promise.all(instances.flatMap(counts => clients.map(client => counts.count(client, HOUR_MS))))
  const standings = [...(await each()), ...(await each())]
  assert.deepEqual(
    standings.map(standing => standing?.count).sort(),
    [1, 2, 3, 4].flatMap(count => clients.map(() => count)),
  )
  const keys = await Promise.all(nodes.map(node => node.ask('DBSIZE')))
  assert.ok(keys.every(number => Number(number) > 0))

  // The other primaries could still count their clients, but a limit must apply to all.
  nodes[1]?.freeze()
  await each()
  assert.ok(instances.every(counts => !counts.metrics().shared))
  nodes[1]?.thaw()
  await until(() => instances.every(counts => counts.metrics().shared), 'counting together again')
})

test('sentinels: the primary is found through one that lives, and so is its successor, with what it counted', {
  skip: NO_REDIS,
}, async t => {
  const [primary, replica] = await Promise.all([startRedis(t), startRedis(t)])
  await replica.ask('REPLICAOF', '127.0.0.1', String(primary.port))
  const isLinked = async () =>
    String(await replica.ask('INFO', 'replication')).includes('master_link_status:up')
  await until(isLinked, 'the replica following')
  const port = await startSentinel(t, 'limits', primary)
  const counts = await startCounting(
    t,
    `redis+sentinel://127.0.0.1:${await freePort()},127.0.0.1:${port}/limits`,
  )
  assert.equal((await counts.count('somebody', HOUR_MS))?.count, 1)
  const copied = async () =>
    ((await replica.ask('KEYS', `pds:limit:${'?'.repeat(22)}`)) as string[]).length > 0
  await until(copied, 'the count on the replica')

  await primary.kill()
  const from = performance.now()
  assert.equal(await counts.count('somebody', HOUR_MS), undefined)
  await until(() => counts.metrics().shared, 'the successor')
  t.diagnostic(
    `counted together again ${Math.round(performance.now() - from)} ms after the primary was killed`,
  )
  assert.equal((await counts.count('somebody', HOUR_MS))?.count, 2)
})
