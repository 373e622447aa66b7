import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, iso, Readings, setUpPoller } from '../../../test/support/feed-poller-setup.ts'
import * as upstreams from '../../../test/support/misbehaving-upstream.ts'
import { DEADLINE_MS } from './fetch-feed.ts'

const { answers, answersStatus, entry, payload } = upstreams

test('poller: whatever breaks, the last good reading stays; one line when it breaks, one when it is back', async t => {
  const { upstream, poller, polls, lines, events, results, clock } = await setUpPoller(
    t,
    answers(at('12:00:00', 5)),
  )
  await poller.start()
  await polls(1)
  const good = poller.latest()
  const faults: [upstreams.Behaviour, string][] = [
    [upstreams.resets, 'refused'],
    [answersStatus(500), 'status'],
    [answersStatus(302, { location: 'http://169.254.169.254/' }), 'redirect'],
    [answers('<html></html>', { 'content-type': 'text/html' }), 'type'],
    [answers(payload([])), 'empty'],
    [answers('{"carparkData":{"Jersey":'), 'unreadable'],
    [answers(upstreams.deepJson(200_000)), 'unreadable'],
    [upstreams.sendsBytes(10_000_000), 'too-large'],
  ]
  const brokeAt = clock.time + 60_000
  for (const [index, [behaviour, kind]] of faults.entries()) {
    upstream.behaviour = behaviour
    await polls(index + 2)
    assert.deepEqual(poller.latest(), good, kind)
    const result = results.at(-1)
    assert.equal(result?.ok === false && result.kind, kind)
    assert.ok(poller.health().lastError)
  }
  assert.ok(Math.abs(Date.parse(poller.health().failingSince ?? '') - brokeAt) < 10_000)
  assert.deepEqual(events(), ['feed-broken'])
  assert.equal(lines[0]?.kind, 'refused')
  upstream.behaviour = answers(at('12:08:00', 6))
  const returned = clock.time
  await polls(faults.length + 2)
  assert.ok(clock.time - returned <= 2 * 60_000, 'back within two intervals')
  assert.equal(poller.latest()?.entries[0]?.spaces, 6)
  assert.deepEqual(events(), ['feed-broken', 'feed-back'])
  assert.equal(poller.health().failingSince, null)
  assert.equal(poller.health().lastError, null)
  upstream.behaviour = upstreams.resets
  await polls(faults.length + 3)
  assert.deepEqual(events(), ['feed-broken', 'feed-back', 'feed-broken'])
})

test('poller: a moment of trouble is retried within the poll, a refusal is not', async t => {
  const { upstream, poller, polls, events, results, clock } = await setUpPoller(t, answers(at('12:00:00')))
  await poller.start()
  await polls(1)
  let left = 2
  upstream.behaviour = (request, response) =>
    (left-- > 0 ? upstreams.resets : answers(at('12:01:00')))(request, response)
  await polls(2)
  assert.equal(upstream.requests.length, 4)
  assert.equal(poller.latest()?.timestamp, iso('12:01:00'))
  assert.ok(results.at(-1)?.ok)
  assert.deepEqual(events(), [])
  const pausesMs = clock.time - Date.parse(iso('12:01:30'))
  assert.ok(pausesMs >= 300 && pausesMs < 3000, `paused ${pausesMs} ms`)
  upstream.behaviour = answersStatus(429)
  await polls(3)
  assert.equal(upstream.requests.length, 5)
  assert.ok(Math.abs(clock.time - Date.parse(iso('12:02:30'))) < 10, 'retries do not move the next poll')
})

test('poller: a redirect is not followed, and the log says once where it leads', async t => {
  const location = 'http://169.254.169.254/latest/meta-data/'
  const { upstream, poller, polls, lines, results } = await setUpPoller(t, answersStatus(302, { location }))
  await poller.start()
  await polls(2)
  assert.equal(upstream.requests.length, 2)
  assert.ok(results.every(result => !result.ok && result.kind === 'redirect'))
  assert.deepEqual(lines, [
    {
      level: 'error',
      event: 'feed-broken',
      kind: 'redirect',
      reason: 'redirected to http://169.254.169.254/…, which is not followed',
    },
  ])
})

test('poller: one request at a time, however short the interval and however slow the feed', async t => {
  const { upstream, poller, polls, results } = await setUpPoller(t, upstreams.drips, { intervalSeconds: 0.2 })
  await poller.start()
  await polls(2)
  assert.equal(upstream.mostAtOnce, 1)
  assert.equal(upstream.requests.length, 2)
  for (const result of results) {
    assert.ok(!result.ok && result.kind === 'timeout')
    // By the interval, not by the deadline of a poll; a busy machine takes its time.
    assert.ok(result.durationMs < DEADLINE_MS, `${result.durationMs} ms`)
  }
})

test('poller: a stale copy every other time is logged once, until three responses in a row are current', async t => {
  let count = 0
  let copies = true
  const { poller, polls, lines } = await setUpPoller(t, (request, response) =>
    answers(copies && count++ % 2 === 1 ? at('11:55:00', 9) : at('12:00:00', 5))(request, response),
  )
  await poller.start()
  await polls(8)
  assert.equal(poller.latest()?.timestamp, iso('12:00:00'))
  assert.equal(poller.latest()?.entries[0]?.spaces, 5)
  assert.equal(poller.health().failingSince, null)
  assert.equal(lines.length, 1)
  assert.match(String(lines[0]?.warnings), /older than the last reading/)
  copies = false
  await polls(11)
  copies = true
  await polls(13)
  assert.equal(lines.length, 2)
})

test('poller: malformed entries are dropped and logged, the others served', async t => {
  const list = [entry('A', 1), entry('B', -1), { ...entry('C'), name: 'x\r\n{"level":"error"}', spaces: [] }]
  const { poller, polls, lines } = await setUpPoller(t, answers(payload(list)))
  await poller.start()
  await polls(2)
  assert.deepEqual(
    poller.latest()?.entries.map(({ code }) => code),
    ['A'],
  )
  assert.equal(lines.length, 1)
  assert.equal(lines[0]?.count, 2)
  assert.doesNotMatch(JSON.stringify(lines), /\\r|\\n/)
})

test('poller: a store that fails is logged once, the reading is served, and saved when it can be', async t => {
  const readings = new Readings()
  readings.broken = true
  const { poller, polls, events } = await setUpPoller(t, answers(at('12:00:00')), { readings })
  await poller.start()
  await polls(2)
  assert.equal(poller.latest()?.timestamp, iso('12:00:00'))
  assert.deepEqual(events(), ['readings-not-loaded', 'readings-not-saved'])
  readings.broken = false
  await polls(3)
  assert.deepEqual(readings.saved, [poller.latest()])
  assert.deepEqual(events(), ['readings-not-loaded', 'readings-not-saved', 'readings-saved-again'])
})

test('poller: an error in a listener does not end the polling', async t => {
  let heard = 0
  const { poller, clock, events } = await setUpPoller(t, answers(at('12:00:00')), {
    onPoll: () => {
      heard++
      throw new Error('listener')
    },
  })
  await poller.start()
  while (heard < 3) {
    clock.next()
    await new Promise(setImmediate)
  }
  assert.ok(events().includes('poll-fault'))
})
