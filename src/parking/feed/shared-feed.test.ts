import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { at, iso, Readings, setUpPoller } from '../../../test/support/feed-poller-setup.ts'
import { madeUpBoard } from '../../../test/support/made-up-board.ts'
import { answers, answersStatus, startUpstream } from '../../../test/support/misbehaving-upstream.ts'
import { until } from '../../../test/support/until.ts'
import type { Observation } from '../../store/store.ts'

/** Long enough that a busy machine causes neither a lost lease nor a timeout. */
const TIMING = {
  leaseMs: 60_000,
  checkEveryMs: 20,
  checkUnnotifiedEveryMs: 20,
  aloneAfterMs: 100,
  timeoutMs: 60_000,
}

/** A board, a feed, and a factory of instances. */
async function makeBoard(t: TestContext, behaviour = answers(at('12:00:00'))) {
  const board = madeUpBoard()
  const feed = await startUpstream(behaviour)
  t.after(() => feed.close())

  async function join(timing: Partial<typeof TIMING> = {}, random = () => 0) {
    const instances = board.join()
    const observed: Observation[] = []
    const calls = { missed: 0, saved: 0 }
    const made = await setUpPoller(t, behaviour, {
      coordination: instances,
      url: feed.url,
      timing: { ...TIMING, ...timing },
      random,
      onObservation: observation => observed.push(observation),
      onMissed: () => calls.missed++,
      onSaved: () => calls.saved++,
    })
    await made.poller.start()
    const { poller: view } = made
    const { stop } = view
    const role = () => view.health().role
    return {
      ...made,
      instances,
      observed,
      calls,
      view,
      stop,
      role,
      shows: (time: string) => until(() => view.latest()?.timestamp === iso(time), `${time} at an instance`),
      plays: (name: string) => until(() => role() === name, name),
    }
  }
  return { board, feed, join }
}

test('a follower shows the state of the leader, and does not poll the feed', async t => {
  const { feed, join } = await makeBoard(t)
  const [one, other] = [await join(), await join()]
  await one.polls(1)
  await other.shows('12:00:00')
  assert.deepEqual([one.role(), other.role(), feed.requests.length], ['leading', 'following', 1])
  assert.equal(other.view.secondsToNext(), 60)
  const { role: _, ...health } = one.view.health()
  await until(() => {
    const { role: _, ...known } = other.view.health()
    return JSON.stringify(known) === JSON.stringify(health)
  }, 'the same health')
  assert.equal(other.observed.length, 1)
  await until(() => other.calls.saved === 1, 'word that it is saved')
  assert.deepEqual([other.calls.missed, other.readings.saved.length], [0, 0])
})

test('a new leader continues with the feed’s time and health', async t => {
  const unreadable = (spaces: number) => answers(at('nonsense', spaces))
  const { feed, join } = await makeBoard(t, unreadable(1))
  const [one, other] = [await join(), await join()]
  await one.polls(1)
  await until(() => other.view.latest(), 'a reading')
  assert.equal(other.view.health().clock, 'unreadable')
  feed.behaviour = answersStatus(404)
  await one.polls(3)
  await until(() => other.view.health().failedPolls === 2, 'failures')
  const { failingSince } = other.view.health()

  await one.stop()
  await other.plays('leading')
  await until(() => feed.requests.length === 4, 'a poll at once')
  await until(() => other.view.health().breaker === 'open', 'the third failure')
  assert.equal(other.view.health().failingSince, failingSince)
  feed.behaviour = unreadable(2)
  await other.polls(2)
  assert.ok(other.events().includes('feed-back'))
  assert.ok(!other.events().includes('feed-broken'), 'it was told by the other')
})

test('a missed observation is reported, and consecutive ones are not', async t => {
  const { feed, join } = await makeBoard(t)
  const [one, other] = [await join(), await join()]
  await one.polls(1)
  await other.shows('12:00:00')
  feed.behaviour = answers(at('12:00:10'))
  await one.polls(2)
  await other.shows('12:00:10')
  assert.equal(other.calls.missed, 0)
  other.instances.reach = 'silent'
  for (const [time, polls] of [
    ['12:00:20', 3],
    ['12:00:30', 4],
  ] as const) {
    feed.behaviour = answers(at(time))
    await one.polls(polls)
  }
  other.instances.reach = 'there'
  await other.shows('12:00:30')
  assert.deepEqual(
    other.observed.map(({ timestamp }) => timestamp),
    ['12:00:00', '12:00:10', '12:00:30'].map(iso),
  )
  assert.ok(other.calls.missed > 0)
})

test('a disconnected follower polls for itself after a random delay, and never goes back in time', async t => {
  const { feed, join } = await makeBoard(t)
  const [one, other] = [await join(), await join({}, () => 0.5)]
  await one.polls(1)
  await other.shows('12:00:00')
  other.instances.reach = 'away'
  await other.plays('alone')
  const [timer] = other.clock.timers.values()
  assert.equal((timer?.at ?? 0) - other.clock.time, 30_000)
  feed.behaviour = answers(at('12:00:20'))
  other.clock.next()
  await other.shows('12:00:20')

  other.instances.reach = 'there'
  await other.plays('following')
  assert.equal(other.view.latest()?.timestamp, iso('12:00:20'))
  assert.equal(other.clock.timers.size, 0, 'it asks no more')
  feed.behaviour = answers(at('12:00:30'))
  await one.polls(2)
  await other.shows('12:00:30')
  assert.ok(other.calls.missed > 0)
  assert.deepEqual(
    other.events().filter(event => String(event).startsWith('feed-')),
    ['feed-alone', 'feed-following'],
  )
})

test('a disconnected leader continues alone, and publishes its readings when it is connected again', async t => {
  const { board, feed, join } = await makeBoard(t)
  const one = await join({ leaseMs: 300 })
  await one.polls(1)
  one.instances.reach = 'away'
  await one.plays('alone')
  feed.behaviour = answers(at('12:00:10'))
  await one.polls(2)
  assert.ok(!board.read()?.includes(iso('12:00:10')))
  one.instances.reach = 'there'
  await until(() => board.read()?.includes(iso('12:00:10')), 'word of it')
  assert.equal(one.role(), 'leading')
})

test('an instance that does not know whether it still leads does not poll the feed', async t => {
  const { feed, join } = await makeBoard(t)
  const one = await join({ leaseMs: 300 })
  await one.polls(1)
  one.instances.reach = 'silent'
  const waits = async () => {
    one.clock.next()
    await new Promise(setImmediate)
    return [...one.clock.timers.values()].some(timer => timer.at - one.clock.time < 60_000)
  }
  await until(waits, 'the end of its time')
  const requests = feed.requests.length
  for (let turn = 0; turn < 100; turn++) assert.ok(await waits())
  assert.equal(feed.requests.length, requests)
  assert.equal(one.role(), 'leading')
  one.instances.reach = 'there'
})

test('a message of another version is ignored', async t => {
  const { board, feed, join } = await makeBoard(t)
  board.write(JSON.stringify({ form: 1, reading: 'otherwise' }))
  const one = await join()
  await one.polls(1)
  assert.deepEqual([one.role(), feed.requests.length], ['leading', 1])
  assert.equal(one.view.latest()?.timestamp, iso('12:00:00'))
})

test('the stored reading is loaded later if the store was unavailable at startup', async t => {
  const { feed, join } = await makeBoard(t)
  feed.behaviour = answersStatus(404)
  const one = await join()
  one.readings.broken = true
  const late = await setUpPoller(t, feed.behaviour, {
    readings: Object.assign(new Readings(), { broken: true }),
    coordination: one.instances,
    timing: TIMING,
  })
  await late.poller.start()
  assert.equal(late.poller.latest(), undefined)
  late.readings.broken = false
  late.readings.saved = [{ timestamp: iso('11:00:00'), entries: [] }]
  await until(() => late.poller.latest()?.timestamp === iso('11:00:00'), 'the stored reading')
  assert.equal(late.events().filter(event => event === 'readings-not-loaded').length, 1)
})
