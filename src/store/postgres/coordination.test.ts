import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { NO_PGBOUNCER, startPgbouncer } from '../../../test/support/pgbouncer.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../../../test/support/postgres.ts'
import { run } from '../../../test/support/postgres-server.ts'
import { until } from '../../../test/support/until.ts'
import type { Coordination, Topic } from '../coordination.ts'
import { openStore } from '../open-store.ts'
import type { Store } from '../store.ts'

const skip = postgresFolder() === undefined && NO_POSTGRES

const LEASE_MS = 60_000

/** One more instance of a database. */
async function join(t: TestContext, address: string): Promise<{ store: Store; instances: Coordination }> {
  const store = await openStore(address)
  t.after(() => store.close())
  return { store, instances: store.coordination ?? assert.fail('no instances') }
}

async function joinTwo(t: TestContext) {
  const address = await (await cluster()).emptyDatabase()
  const [one, other] = [await join(t, address), await join(t, address)]
  return { address, one, other }
}

/** The notifications of an instance after it has connected. The connection's own notifications are left out. */
async function listen({ instances }: { instances: Coordination }): Promise<Topic[]> {
  const news: Topic[] = []
  instances.subscribe(about => news.push(about))
  await until(() => instances.isConnected(), 'the line')
  news.length = 0
  return news
}

async function publishTo({ store }: { store: Store }, value: number): Promise<void> {
  const staging = await store.releases.stage('things', { kind: 'documents' })
  await staging.append('a', { value })
  await staging.seal()
  const changes = await staging.changesSince(undefined)
  await staging.publish({ source: 'test', synthetic: false, changes, firstSeen: new Map() })
}

test('one instance holds the feed lease, until it is released or expires', {
  skip,
}, async t => {
  const { one, other } = await joinTwo(t)
  assert.deepEqual(await one.instances.leaseStatus('feed'), { leading: false, led: false, number: 0 })
  assert.equal((await one.instances.acquireLease('feed', LEASE_MS)).leading, true)
  assert.deepEqual(await other.instances.acquireLease('feed', LEASE_MS), {
    leading: false,
    led: true,
    number: 0,
  })
  assert.equal((await one.instances.acquireLease('feed', LEASE_MS)).leading, true)
  assert.deepEqual(await other.instances.leaseStatus('feed'), { leading: false, led: true, number: 0 })

  await other.instances.releaseLease('feed')
  assert.equal((await one.instances.leaseStatus('feed')).leading, true)
  await one.instances.releaseLease('feed')
  assert.equal((await other.instances.acquireLease('feed', 1)).leading, true)
  await until(
    async () => (await one.instances.acquireLease('feed', LEASE_MS)).leading,
    'the right, when its time is over',
  )
  assert.equal((await other.instances.leaseStatus('feed')).leading, false)
})

test('leases are held apart from each other', { skip }, async t => {
  const { one, other } = await joinTwo(t)
  assert.equal((await one.instances.acquireLease('feed', LEASE_MS)).leading, true)
  assert.equal((await other.instances.acquireLease('sources', LEASE_MS)).leading, true)
  assert.equal((await one.instances.leaseStatus('sources')).leading, false)
  assert.equal(await other.instances.publish('of the feed alone'), undefined)
  await one.instances.releaseLease('sources')
  await other.instances.releaseLease('feed')
  assert.equal((await one.instances.leaseStatus('feed')).leading, true)
  assert.equal((await other.instances.leaseStatus('sources')).leading, true)
})

test('of many instances that request the lease at once one gets it', { skip }, async t => {
  const address = await (await cluster()).emptyDatabase()
  const all = await Promise.all(Array.from({ length: 6 }, () => join(t, address)))
  for (let round = 0; round < 5; round++) {
    const standings = await Promise.all(all.map(({ instances }) => instances.acquireLease('feed', LEASE_MS)))
    assert.equal(standings.filter(({ leading }) => leading).length, 1)
    for (const { instances } of all) await instances.releaseLease('feed')
  }
})

test('the lease holder publishes the state, and others cannot', { skip }, async t => {
  const { one, other } = await joinTwo(t)
  assert.equal(await other.instances.latestMessage(), undefined)
  assert.equal(await one.instances.publish('too early'), undefined)
  await one.instances.acquireLease('feed', LEASE_MS)
  const first = await one.instances.publish('first')
  const second = await one.instances.publish('"second" \\ \u{1F17F}')
  assert.deepEqual([first, second], [1, 2])
  const latest = await other.instances.latestMessage()
  assert.deepEqual([latest?.text, latest?.number], ['"second" \\ \u{1F17F}', 2])
  assert.ok(latest !== undefined && latest.ageMs >= 0 && latest.ageMs < 30_000)
  assert.equal((await other.instances.leaseStatus('feed')).number, 2)

  await one.instances.releaseLease('feed')
  assert.equal(await one.instances.publish('too late'), undefined)
  await other.instances.acquireLease('feed', 1)
  await until(async () => (await other.instances.publish('late')) === undefined, 'the end of its time')
})

test('all are notified of a new state, a released lease, and another current release', { skip }, async t => {
  const { one, other } = await joinTwo(t)
  const [news, more] = [await listen(one), await listen(other)]
  await one.instances.acquireLease('feed', LEASE_MS)
  await one.instances.publish('something')
  await until(() => news.length === 1 && more.length === 1, 'word')
  await one.instances.releaseLease('feed')
  await until(() => more.length === 2, 'the right handed back')
  await publishTo(one, 1)
  await publishTo(one, 2)
  await other.store.releases.makeCurrent('things', 1)
  await until(() => news.length === 5 && more.length === 5, 'releases')
  assert.deepEqual(more, ['live', 'live', 'releases', 'releases', 'releases'])
  assert.deepEqual(news, more)
})

test('another schema has no effect', { skip }, async t => {
  const { address, one } = await joinTwo(t)
  const stranger = await join(t, `${address}?schema=other`)
  const news = await listen(one)
  assert.equal((await one.instances.acquireLease('feed', LEASE_MS)).leading, true)
  assert.equal((await stranger.instances.acquireLease('feed', LEASE_MS)).leading, true)
  await stranger.instances.publish('elsewhere')
  await publishTo(stranger, 1)
  await one.instances.publish('here')
  await until(() => news.length > 0, 'word')
  assert.deepEqual(news, ['live'])
})

test('a lost LISTEN connection reconnects by itself, and then everything is reloaded', { skip }, async t => {
  const { address, one, other } = await joinTwo(t)
  const news = await listen(one)
  await run(
    address,
    `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and pid <> pg_backend_pid()`,
  )
  await until(() => news.length >= 2, 'the line')
  assert.deepEqual(news, ['releases', 'live'])
  assert.equal(one.instances.isConnected(), true)
  await other.instances.acquireLease('feed', LEASE_MS)
  await other.instances.publish('heard again')
  await until(() => news.length === 3, 'word')
})

test('an unsubscribed listener is not called again', { skip }, async t => {
  const { one, other } = await joinTwo(t)
  const news = await listen(one)
  const forgotten: Topic[] = []
  one.instances.subscribe(about => forgotten.push(about))()
  await other.instances.acquireLease('feed', LEASE_MS)
  await other.instances.publish('something')
  await until(() => news.length === 1, 'word')
  assert.deepEqual(forgotten, [])
})

test('over a pooler there is no LISTEN connection, and the rest works', {
  skip: skip || NO_PGBOUNCER,
}, async t => {
  const { port, emptyDatabase } = await cluster()
  const address = await emptyDatabase()
  await (await openStore(address)).close()
  const pooled = address.replace(String(port), String((await startPgbouncer(t, port)).port))
  const [one, other] = [await join(t, pooled), await join(t, pooled)]
  for (const { instances } of [one, other]) instances.subscribe(() => {})
  const last = (pattern: string) =>
    run(address, `select 1 from pg_stat_activity where query ~ '${pattern}' and pid <> pg_backend_pid()`)
  await until(async () => (await last('^select pg_backend_pid')).length > 0, 'the line being tried')
  for (let round = 1; round <= 20; round++) {
    assert.equal((await one.instances.acquireLease('feed', LEASE_MS)).leading, true)
    assert.equal((await other.instances.acquireLease('feed', LEASE_MS)).leading, false)
    assert.equal(await one.instances.publish(String(round)), round)
    assert.equal((await other.instances.latestMessage())?.text, String(round))
  }
  await one.instances.releaseLease('feed')
  assert.equal((await other.instances.acquireLease('feed', LEASE_MS)).leading, true)
  assert.deepEqual([one.instances.isConnected(), other.instances.isConnected()], [false, false])
  assert.equal((await last('^listen')).length, 0)
})
