import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, iso, Readings, setUpPoller, stored } from '../../../test/support/feed-poller-setup.ts'
import * as upstreams from '../../../test/support/misbehaving-upstream.ts'

const { answers, entry, payload } = upstreams

test('poller: after start the reading is there; each new timestamp is saved once', async t => {
  const { upstream, poller, polls, readings, results, clock } = await setUpPoller(
    t,
    answers(at('12:00:00', 5)),
  )
  assert.equal(poller.latest(), undefined)
  await poller.start()
  assert.equal(poller.latest()?.timestamp, iso('12:00:00'))
  assert.equal(poller.latest()?.entries[0]?.spaces, 5)
  await polls(3)
  assert.equal(readings.saved.length, 1)
  assert.equal(clock.time, Date.parse(iso('12:02:30')), 'a poll a minute')
  upstream.behaviour = answers(at('12:02:40', 6))
  await polls(4)
  assert.deepEqual(
    readings.saved.map(({ timestamp }) => timestamp),
    [iso('12:00:00'), iso('12:02:40')],
  )
  assert.deepEqual(readings.saved.at(-1), poller.latest())
  assert.ok(results.every(({ ok }) => ok))
})

test('poller: a stored reading is served at once, even while the feed hangs', async t => {
  const readings = new Readings()
  readings.saved.push(stored('11:00:00'))
  const { poller, upstream } = await setUpPoller(t, upstreams.hangs, { readings })
  await poller.start()
  assert.deepEqual(poller.latest(), stored('11:00:00'))
  assert.deepEqual(poller.health(), {
    polling: true,
    failingSince: null,
    lastError: null,
    lastGoodAt: iso('11:00:00'),
    failedPolls: 0,
    breaker: 'closed',
    clock: 'ok',
    readingAgeSeconds: 3630,
    role: undefined,
  })
  assert.equal(poller.secondsToNext(), 1)
  await poller.stop()
  assert.ok(upstream.requests.length <= 1)
})

test('poller: readings survive a restart, and time does not go backwards over it', async t => {
  const readings = new Readings()
  const first = await setUpPoller(t, answers(at('12:00:00', 5)), { readings })
  await first.poller.start()
  await first.polls(1)
  await first.poller.stop()
  const second = await setUpPoller(t, answers(at('11:59:00', 9)), { readings })
  await second.poller.start()
  await second.polls(1)
  assert.equal(second.poller.latest()?.timestamp, iso('12:00:00'))
  assert.equal(second.poller.latest()?.entries[0]?.spaces, 5)
  assert.equal(readings.saved.length, 1)
})

test('poller: without a URL it serves the stored reading and polls nothing', async t => {
  const readings = new Readings()
  readings.saved.push(stored('11:00:00'))
  const { poller, upstream, clock } = await setUpPoller(t, upstreams.hangs, { readings, url: undefined })
  await poller.start()
  assert.deepEqual(poller.latest(), stored('11:00:00'))
  assert.equal(poller.health().polling, false)
  assert.equal(poller.secondsToNext(), 60)
  assert.equal(clock.timers.size + upstream.connections, 0)
})

test('poller: the repeated autumn hour is resolved by the previous reading and the present', async t => {
  const text = (time: string) =>
    payload([entry('A')], `This information was updated at ${time} on Sunday 27 October`)
  const { poller, upstream, polls, clock, readings } = await setUpPoller(t, answers(text('01:58:00')), {
    intervalSeconds: 300,
  })
  clock.time = Date.parse('2024-10-27T00:59:00Z')
  await poller.start()
  upstream.behaviour = answers(text('01:03:00'))
  await polls(2)
  upstream.behaviour = answers(text('01:08:00'))
  await polls(3)
  assert.deepEqual(
    readings.saved.map(({ timestamp }) => timestamp),
    ['2024-10-27T00:58:00.000Z', '2024-10-27T01:03:00.000Z', '2024-10-27T01:08:00.000Z'],
  )
})

test('poller: 304 counts as success, and after an unusable response the next request is unconditional', async t => {
  const { upstream, poller, polls, clock, results } = await setUpPoller(
    t,
    upstreams.answersConditionally(at('12:00:00'), '"one"'),
  )
  await poller.start()
  await polls(2)
  assert.equal(upstream.requests[1]?.['if-none-match'], '"one"')
  assert.equal(poller.latest()?.timestamp, iso('12:00:00'))
  assert.equal(poller.health().lastGoodAt, clock.now().toISOString())
  upstream.behaviour = answers(payload([]), { etag: '"empty"' })
  await polls(3)
  await polls(4)
  assert.equal(upstream.requests.at(-1)?.['if-none-match'], '"one"')
  assert.deepEqual(
    results.map(({ ok }) => ok),
    [true, true, false, false],
  )
})

test('poller: stopping ends a fetch that hangs and a pause between tries, and says nothing', async t => {
  let asked = () => {}
  const request = new Promise<void>(resolve => {
    asked = resolve
  })
  const hanging = await setUpPoller(t, () => asked())
  const started = hanging.poller.start()
  await request
  const before = performance.now()
  await hanging.poller.stop()
  await started
  assert.ok(performance.now() - before < 1000)
  const pausing = await setUpPoller(t, upstreams.resets)
  await pausing.poller.start()
  while (pausing.clock.timers.size === 0) await new Promise(setImmediate)
  await pausing.poller.stop()
  for (const { clock, lines, results } of [hanging, pausing]) {
    assert.equal(clock.timers.size, 0)
    assert.deepEqual([...lines, ...results], [])
  }
})

test('poller: seconds to the next poll count down to 1', async t => {
  const { poller, polls, clock } = await setUpPoller(t, answers(at('12:00:00')))
  await poller.start()
  await polls(1)
  assert.equal(poller.secondsToNext(), 60)
  clock.time += 30_500
  assert.equal(poller.secondsToNext(), 30)
  clock.time += 60_000
  assert.equal(poller.secondsToNext(), 1)
  clock.time -= 86_400_000
  assert.equal(poller.secondsToNext(), 60, 'the machine was set back a day')
})
