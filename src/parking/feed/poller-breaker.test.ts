import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, setUpPoller } from '../../../test/support/feed-poller-setup.ts'
import * as upstreams from '../../../test/support/misbehaving-upstream.ts'

const { answers, answersStatus } = upstreams
const INTERVAL_MS = 60_000

test('breaker: after three failed polls in a row each poll is one attempt, until the first that works', async t => {
  const { upstream, poller, polls, events } = await setUpPoller(t, upstreams.resets)
  const asked: number[] = []
  const states: string[] = []
  await poller.start()
  for (let poll = 1; poll <= 6; poll++) {
    const before = poll === 1 ? 0 : upstream.requests.length
    await polls(poll)
    asked.push(upstream.requests.length - before)
    const { breaker, failedPolls } = poller.health()
    states.push(`${failedPolls} ${breaker}`)
  }
  assert.deepEqual(asked, [3, 3, 3, 1, 1, 1])
  assert.deepEqual(states, ['1 closed', '2 closed', '3 open', '4 open', '5 open', '6 open'])
  assert.deepEqual(events(), ['feed-broken'])
  upstream.behaviour = answers(at('12:06:00'))
  await polls(7)
  assert.deepEqual([poller.health().failedPolls, poller.health().breaker], [0, 'closed'])
  assert.deepEqual(events(), ['feed-broken', 'feed-back'])
  upstream.behaviour = upstreams.resets
  const before = upstream.requests.length
  await polls(8)
  assert.equal(upstream.requests.length - before, 3, 'a moment of trouble is retried again')
  assert.equal(upstream.mostAtOnce, 1)
})

for (const away of [1, 2, 3, 10])
  test(`breaker: after ${away} failed polls the feed is back within one interval of its return`, async t => {
    const { upstream, poller, polls, clock } = await setUpPoller(t, upstreams.resets)
    await poller.start()
    await polls(away)
    upstream.behaviour = answers(at('12:00:00'))
    const returned = clock.time
    await polls(away + 1)
    assert.ok(clock.time - returned <= INTERVAL_MS)
    assert.ok(poller.latest())
  })

test('breaker: probes come at random, four fifths of an interval to a whole one apart', async t => {
  const draws = [0, 0.25, 0.5, 0.75]
  const { poller, polls, clock } = await setUpPoller(t, answersStatus(404), {
    random: () => draws.shift() ?? 0,
  })
  await poller.start()
  const times: number[] = []
  for (let poll = 1; poll <= 5; poll++) {
    await polls(poll)
    times.push(clock.time)
  }
  const apart = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  assert.deepEqual(apart, [60_000, 57_000, 54_000, 51_000])
})

test('breaker: Retry-After of 429 and 503 is honoured, five minutes at most', async t => {
  const { upstream, poller, polls, clock, events } = await setUpPoller(t, answersStatus(503), {
    random: () => 0,
  })
  const now = new Date('2024-02-04T12:00:00Z')
  const inTwoMinutes = new Date(now.getTime() + 120_000).toUTCString()
  const cases: [upstreams.Behaviour, number][] = [
    [answersStatus(429, { 'retry-after': '150' }), 150_000],
    [answersStatus(503, { 'retry-after': inTwoMinutes, date: now.toUTCString() }), 120_000],
    [answersStatus(503, { 'retry-after': '5' }), INTERVAL_MS],
    [answersStatus(429, { 'retry-after': '86400' }), 300_000],
    [answersStatus(429, { 'retry-after': 'soon' }), INTERVAL_MS],
    [answersStatus(500, { 'retry-after': '150' }), INTERVAL_MS],
  ]
  upstream.behaviour = cases[0]?.[0] ?? assert.fail()
  await poller.start()
  for (const [index, [, pauseMs]] of cases.entries()) {
    await polls(index + 1)
    assert.equal(upstream.requests.length, index + 1, 'who asks to be left alone is not asked again at once')
    assert.ok(poller.secondsToNext() <= 60)
    const from = clock.time
    upstream.behaviour = cases[index + 1]?.[0] ?? answers(at('12:00:00'))
    const asked = upstream.requests.length
    while (upstream.requests.length === asked) {
      clock.next()
      while (clock.timers.size === 0 && upstream.requests.length === asked) await new Promise(setImmediate)
    }
    assert.equal(clock.time - from, pauseMs, `case ${index}`)
  }
  await polls(cases.length + 1)
  assert.deepEqual(events(), ['feed-broken', 'feed-back'])
})

test('breaker: a feed that works every other time is logged each time, and polled one request at a time', async t => {
  let count = 0
  const { upstream, poller, polls, events } = await setUpPoller(t, (request, response) =>
    (count++ % 2 === 0 ? answersStatus(404) : answers(at('12:00:00')))(request, response),
  )
  await poller.start()
  await polls(6)
  assert.deepEqual(
    events(),
    [1, 2, 3].flatMap(() => ['feed-broken', 'feed-back']),
  )
  assert.equal(upstream.mostAtOnce, 1)
  assert.equal(upstream.requests.length, 6)
})

test('breaker: an interval of an hour is shortened to five minutes while the feed fails', async t => {
  const { upstream, poller, polls, clock } = await setUpPoller(t, answersStatus(404), {
    intervalSeconds: 3600,
  })
  await poller.start()
  await polls(4)
  const returned = clock.time
  upstream.behaviour = answers(at('12:00:00'))
  await polls(5)
  assert.ok(clock.time - returned <= 300_000)
  const worked = clock.time
  await polls(6)
  assert.equal(clock.time - worked, 3_600_000)
})

test('breaker: it does not hang on the machine’s clock, which may be set back by a day while it is open', async t => {
  const { upstream, poller, polls, clock } = await setUpPoller(t, upstreams.resets)
  await poller.start()
  await polls(4)
  clock.wrongBy = -86_400_000
  upstream.behaviour = answers(at('12:00:00'))
  const returned = clock.time
  await polls(5)
  assert.ok(clock.time - returned <= INTERVAL_MS)
  assert.equal(poller.health().breaker, 'closed')
})
