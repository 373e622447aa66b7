import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openStream } from '../support/event-streams.ts'
import { live, makeNeighbours, roleOf, untilOneLeads } from '../support/instances.ts'
import { TOILETS } from '../support/island.ts'
import { answersStatus } from '../support/misbehaving-upstream.ts'
import { NO_POSTGRES, postgresFolder } from '../support/postgres.ts'
import { run } from '../support/postgres-server.ts'
import { sumOf } from '../support/series.ts'
import { publish } from '../support/service.ts'
import type { Serving } from '../support/serving.ts'
import { until } from '../support/until.ts'

const skip = postgresFolder() === undefined && NO_POSTGRES

/** Polls of the feed so far, by an instance's own metrics. */
const pollsOf = async (serving: Serving) => sumOf(await serving.metrics(), 'pds_feed_polls_total')

const leading = async (serving: Serving) => (await serving.metrics()).get('pds_feed_leading')

/** Says how long it takes until a condition holds. */
async function timed(t: TestContext, what: string, condition: () => Promise<unknown>): Promise<void> {
  const from = performance.now()
  await until(condition, what)
  t.diagnostic(`${what}: ${Math.round(performance.now() - from)} ms`)
}

test('of two instances one polls the feed, and both serve its readings and imported releases', {
  skip,
}, async t => {
  const neighbours = await makeNeighbours(t)
  const both = await Promise.all([neighbours.serve(), neighbours.serve()])
  const { leader, follower } = await untilOneLeads(both)

  await t.test('the other does not ask', async () => {
    const before = await pollsOf(leader)
    await until(async () => (await pollsOf(leader)) >= before + 3, 'three polls')
    assert.equal(await pollsOf(follower), 0)
    assert.equal(neighbours.feed.mostAtOnce, 1)
    assert.deepEqual([await leading(leader), await leading(follower)], [1, 0])
  })

  await t.test('a reading is served by both, with the same validator, and told by both streams', async t => {
    const path = '/v1/carparks/live-spaces'
    const streams = await Promise.all(both.map(({ url }) => openStream(t, `${url}${path}/stream`)))
    const timestamp = neighbours.tell(90)
    const isServed = async (serving: Serving) => (await live(serving)).timestamp === timestamp
    await until(() => isServed(leader), 'the reading')
    await timed(t, 'the reading at the other instance', () => isServed(follower))
    const [one, another] = await Promise.all(both.map(serving => serving.get(path)))
    assert.deepEqual([one?.text, one?.headers.etag], [another?.text, another?.headers.etag])
    const told = () => streams.map(({ events }) => events.find(({ data }) => data.includes(timestamp)))
    await until(() => told().every(Boolean), 'the event')
    const [event, other] = told()
    assert.deepEqual(event, other)
  })

  await t.test('other counts under the same time are served by both as well', async () => {
    const { timestamp } = await live(leader)
    neighbours.tell(91, timestamp)
    for (const serving of both)
      await until(async () => {
        const now = await live(serving)
        return now.spaces === 91 && now.timestamp === timestamp
      }, 'the other count')
  })

  await t.test('a feed that fails is known to both, and so is its return', async () => {
    neighbours.feed.behaviour = answersStatus(500)
    for (const serving of both)
      await until(async () => (await serving.admin('/readyz')).text.includes('live feed'), 'the trouble')
    neighbours.tell(80)
    for (const serving of both)
      await until(async () => !(await serving.admin('/readyz')).text.includes('live feed'), 'its end')
    assert.equal(follower.log.filter(({ event }) => event === 'feed-broken').length, 0)
  })

  const served = (number: number) => async (serving: Serving) =>
    (await serving.metrics()).get('pds_release_number{dataset="toilets"}') === number

  await t.test('a release is served by both', async t => {
    await publish(neighbours.store, 'toilets', TOILETS)
    for (const serving of both) await timed(t, 'the release', () => served(1)(serving))
  })

  await t.test('nothing is missed while no news comes by itself', async () => {
    await publish(neighbours.store, 'toilets', TOILETS.slice(1))
    let cuts = 0
    const cutting = setInterval(async () => {
      cuts += await cutLines(neighbours.address)
    }, 100)
    t.after(() => clearInterval(cutting))
    await until(() => cuts > 2, 'lines that are cut')
    await neighbours.store.releases.makeCurrent('toilets', 1)
    await publish(neighbours.store, 'toilets', TOILETS.slice(2))
    const timestamp = neighbours.tell(70)
    for (const serving of both) {
      await until(() => served(3)(serving), 'the release')
      await until(async () => (await live(serving)).timestamp === timestamp, 'the reading')
    }
    assert.equal(await pollsOf(follower), 0)
  })
})

/** Ends the sessions that listen, as an operator or a firewall may; gives how many. */
async function cutLines(address: string): Promise<number> {
  const listening = `pid <> pg_backend_pid() and query ~ '^(listen|select 1$)'`
  const ended = `select pg_terminate_backend(pid) from pg_stat_activity where ${listening}`
  return (await run(address, ended).catch(() => [])).length
}

test('an instance without a feed serves the readings of another', { skip }, async t => {
  const neighbours = await makeNeighbours(t)
  const silent = await neighbours.serve({ LIVE_FEED_URL: '' })
  assert.equal((await silent.get('/v1/carparks/live-spaces')).status, 503)
  const asking = await neighbours.serve()
  const timestamp = neighbours.tell(60)
  for (const serving of [asking, silent])
    await until(async () => (await live(serving)).timestamp === timestamp, 'the reading')
  assert.deepEqual([await roleOf(asking), await roleOf(silent)], ['leading', 'following'])
  await asking.stop('SIGTERM')
  assert.equal(await roleOf(silent), 'following')
  assert.equal((await live(silent)).timestamp !== undefined, true)
})
