import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, iso, Readings, setUpPoller, stored } from '../../../test/support/feed-poller-setup.ts'
import * as upstreams from '../../../test/support/misbehaving-upstream.ts'

const { answers, entry, payload } = upstreams

test('listener: the stored observation and each new one, once, when requests see it already', async t => {
  const readings = new Readings()
  readings.saved.push(stored('11:00:00'))
  const heard: unknown[] = []
  const { upstream, poller, polls } = await setUpPoller(t, answers(at('12:00:00', 5)), {
    readings,
    onObservation(observation) {
      assert.equal(poller.latest(), observation)
      heard.push([observation.timestamp, observation.entries[0]?.spaces])
    },
  })
  await poller.start()
  await polls(3)
  assert.deepEqual(heard.splice(0), [
    [iso('11:00:00'), 7],
    [iso('12:00:00'), 5],
  ])
  const seen = poller.latest()
  upstream.behaviour = answers(at('12:00:00', 6))
  await polls(4)
  upstream.behaviour = answers(at('11:55:00', 9))
  await polls(5)
  upstream.behaviour = answers(payload([entry('GREENST', 7)], 'soon'))
  await polls(6)
  assert.deepEqual(heard, [
    [iso('12:00:00'), 6],
    [iso('12:05:30'), 7],
  ])
  assert.equal(seen?.entries[0]?.spaces, 5, 'an observation does not change')
})

test('listener: one that throws does no harm', async t => {
  const { poller, polls, results, events, readings } = await setUpPoller(t, answers(at('12:00:00')), {
    onObservation: () => {
      throw new Error('listener')
    },
  })
  await poller.start()
  await polls(1)
  assert.ok(results[0]?.ok)
  assert.equal(readings.saved.length, 1)
  assert.deepEqual(events(), ['observation-fault'])
})

test('entries: additions, removals and renames are logged once, also across a restart', async t => {
  const readings = new Readings()
  readings.saved.push(stored('11:00:00'))
  const list = [entry('MINDENPL', 5), { ...entry('GREENST', 9), name: 'Green Street  (north) ' }]
  const { upstream, poller, polls, lines } = await setUpPoller(t, answers(payload(list)), { readings })
  await poller.start()
  await polls(2)
  upstream.behaviour = answers(payload([entry('MINDENPL', 6), entry('TEST', 100)]))
  await polls(4)
  const told = lines.map(({ event, appeared, gone, renamed }) => ({ event, appeared, gone, renamed }))
  const green = { code: 'GREENST', name: 'Green Street (north)' }
  assert.deepEqual(told, [
    {
      event: 'feed-entries',
      appeared: [{ code: 'MINDENPL', name: 'Car park MINDENPL' }],
      gone: [],
      renamed: [{ ...green, before: 'Green Street' }],
    },
    {
      event: 'feed-entries',
      appeared: [{ code: 'TEST', name: 'Car park TEST' }],
      gone: [green],
      renamed: [],
    },
  ])
  const served = poller.latest()?.entries.map(({ code, spaces }) => [code, spaces])
  assert.deepEqual(served, [
    ['MINDENPL', 6],
    ['TEST', 100],
  ])
})

test('entries: a count that is impossible in another way each minute is one line, and its car park is not gone', async t => {
  const { upstream, poller, polls, lines } = await setUpPoller(t, answers(payload([entry('A'), entry('B')])))
  await poller.start()
  await polls(1)
  for (const [index, spaces] of [-1, -2, -300, 100_001, 1.5].entries()) {
    upstream.behaviour = answers(payload([entry('A', index), entry('B', spaces)]))
    await polls(index + 2)
    assert.deepEqual(
      poller.latest()?.entries.map(({ code }) => code),
      ['A'],
    )
  }
  upstream.behaviour = answers(payload([entry('A'), entry('B')]))
  await polls(7)
  assert.deepEqual(
    lines.map(({ warnings }) => String(warnings)),
    [
      'entry 2 (code "B") dropped: spaces is -1, below 0',
      'entry 2 (code "B") dropped: spaces is 100001, more than 100000',
      'entry 2 (code "B") dropped: spaces is 1.5, not a whole number',
    ],
  )
})

test('health: the age of the reading grows while the feed fails, and is null before the first', async t => {
  const { upstream, poller, polls, clock } = await setUpPoller(t, upstreams.resets)
  await poller.start()
  await polls(1)
  assert.equal(poller.health().readingAgeSeconds, null)
  upstream.behaviour = answers(at('12:00:00'))
  await polls(2)
  const age = () => (clock.time - Date.parse(iso('12:00:00'))) / 1000
  assert.equal(poller.health().readingAgeSeconds, age())
  upstream.behaviour = upstreams.resets
  clock.time += 3_600_000
  assert.equal(poller.health().readingAgeSeconds, age())
  clock.wrongBy = -86_400_000
  assert.equal(poller.health().readingAgeSeconds, 0)
})
