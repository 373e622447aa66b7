import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ClockState, feedClock, initialClockState, resolveTimestamp } from './time-text.ts'

const MINUTE = 60_000
/** Noon of a summer day: the minute 0 of these tests. */
const NOON = Date.parse('2024-07-01T12:00:00Z')
const at = (minute: number) => NOON + minute * MINUTE

interface Answer {
  /** When it is fetched, in minutes from noon. */
  readonly now: number
  /** The minute that its text names, if any. */
  readonly says?: number
  readonly sameEntries?: boolean
}

/** A feed that processes responses in order; entries change each time unless `sameEntries`. */
function feed(start: ClockState = initialClockState()) {
  let state = start
  return {
    take({ now, says, sameEntries = false }: Answer) {
      const named = says === undefined ? [] : [at(says)]
      const time = { named, at: named.find(instant => instant <= at(now + 2)) }
      const stamped = resolveTimestamp(state, { time, now: at(now), sameEntries })
      state = stamped.state
      const source = time.at === state.stamp ? 'feed' : 'fetch'
      return [
        stamped.outcome === 'new' ? source : stamped.outcome,
        (state.stamp - NOON) / MINUTE,
        feedClock(state),
      ]
    },
  }
}

test('stamp: the feed’s own time; the same again is nothing new, other counts at the same time are', () => {
  const { take } = feed()
  assert.deepEqual(take({ now: 1, says: 0 }), ['feed', 0, 'ok'])
  assert.deepEqual(take({ now: 2, says: 0, sameEntries: true }), ['same', 0, 'ok'])
  assert.deepEqual(take({ now: 3, says: 0 }), ['feed', 0, 'ok'])
  assert.deepEqual(take({ now: 6, says: 5, sameEntries: true }), ['feed', 5, 'ok'])
})

test('stamp: up to two minutes ahead is the feed’s time, more is the time of the fetch', () => {
  const { take } = feed()
  assert.deepEqual(take({ now: 0, says: 2 }), ['feed', 2, 'ok'])
  assert.deepEqual(take({ now: 5, says: 7.1 }), ['fetch', 5, 'ahead'])
  // The same text is the same reading, also once its time is no longer in the future.
  assert.deepEqual(take({ now: 6, says: 7.1, sameEntries: true }), ['same', 5, 'ahead'])
  assert.deepEqual(take({ now: 9, says: 7.1, sameEntries: true }), ['same', 5, 'ahead'])
  assert.deepEqual(take({ now: 10, says: 9.5 }), ['feed', 9.5, 'ok'])
})

test('stamp: after one time that cannot be read, later readings count though their times lie before it', () => {
  const { take } = feed()
  take({ now: 1, says: 0 })
  assert.deepEqual(take({ now: 12 }), ['fetch', 12, 'unreadable'])
  assert.deepEqual(take({ now: 13, says: 10 }), ['fetch', 12, 'ok'], 'new counts, at no earlier time')
  assert.deepEqual(take({ now: 14, says: 10, sameEntries: true }), ['same', 12, 'ok'])
  assert.deepEqual(take({ now: 16, says: 15 }), ['feed', 15, 'ok'])
})

test('stamp: an older response is ignored every time, also a stale copy among current ones', () => {
  const { take } = feed()
  take({ now: 11, says: 10 })
  for (const now of [12, 13, 14, 15]) assert.deepEqual(take({ now, says: 5 }), ['older', 10, 'behind'])
  assert.deepEqual(take({ now: 16, says: 10, sameEntries: true }), ['same', 10, 'ok'])
  for (const [now, says] of [
    [17, 3],
    [18, 6],
    [19, 3],
    [20, 6],
    [21, 3],
  ] as const)
    assert.deepEqual(take({ now, says }), ['older', 10, 'behind'])
  assert.deepEqual(take({ now: 22, says: 20 }), ['feed', 20, 'ok'])
})

test('stamp: a feed whose clock was set back by an hour is accepted again from the third reading', () => {
  const { take } = feed()
  take({ now: 1, says: 0 })
  assert.deepEqual(take({ now: 6, says: -55 }), ['older', 0, 'behind'])
  assert.deepEqual(take({ now: 11, says: -50 }), ['older', 0, 'behind'])
  assert.deepEqual(take({ now: 16, says: -45 }), ['fetch', 0, 'behind'])
  assert.deepEqual(take({ now: 56, says: -5 }), ['fetch', 0, 'behind'])
  assert.deepEqual(
    take({ now: 66, says: 5 }),
    ['feed', 5, 'behind'],
    'it has caught up, and is an hour behind',
  )
})

test('stamp: a feed whose clock was set back by a day gets the time of the fetch', () => {
  const { take } = feed()
  const dayBefore = (minute: number) => minute - 24 * 60
  take({ now: 1, says: 0 })
  for (const minute of [5, 10]) take({ now: minute + 1, says: dayBefore(minute) })
  for (const minute of [15, 20, 25])
    assert.deepEqual(take({ now: minute + 1, says: dayBefore(minute) }), ['fetch', minute + 1, 'behind'])
  assert.deepEqual(take({ now: 30.5, says: 30 }), ['feed', 30, 'ok'])
})

test('stamp: three new readings in turn that are an hour old are a clock an hour behind, and keep their times', () => {
  const { take } = feed()
  assert.deepEqual(take({ now: 60, says: 0 }), ['feed', 0, 'ok'])
  assert.deepEqual(take({ now: 62, says: 0 }), ['feed', 0, 'ok'], 'not a new time')
  assert.deepEqual(take({ now: 66, says: 5 }), ['feed', 5, 'ok'])
  assert.deepEqual(take({ now: 75, says: 10 }), ['feed', 10, 'behind'])
  assert.deepEqual(take({ now: 76, says: 10, sameEntries: true }), ['same', 10, 'behind'])
  assert.deepEqual(take({ now: 80.5, says: 80 }), ['feed', 80, 'ok'])
  for (const [now, says] of [
    [140, 80.5],
    [150, 86],
    [155, 149],
    [210, 150],
    [215, 154.5],
  ] as const)
    assert.deepEqual(take({ now, says }), ['feed', says, 'ok'], 'not three in turn')
})

test('stamp: a restart continues from the stored reading', () => {
  assert.deepEqual(feed(initialClockState(at(10))).take({ now: 11, says: 10, sameEntries: true }), [
    'same',
    10,
    'ok',
  ])
  assert.deepEqual(feed(initialClockState(at(10))).take({ now: 11, says: 5 }), ['older', 10, 'behind'])
  assert.deepEqual(feed(initialClockState(at(10))).take({ now: 5 }), ['fetch', 10, 'unreadable'])
})

test('stamp: whatever the feed says and the machine’s clock does, stamps never decrease and nothing is ignored for long', () => {
  const minutes = fc.integer({ min: -3000, max: 3000 })
  const answers = fc.record(
    { now: minutes, says: minutes, sameEntries: fc.boolean() },
    { requiredKeys: ['now', 'sameEntries'] },
  )
  fc.assert(
    fc.property(fc.array(answers, { maxLength: 30 }), minutes, (before, now) => {
      const { take } = feed()
      let last = Number.NEGATIVE_INFINITY
      const check = (answer: Answer) => {
        const [outcome, stamp] = take(answer)
        assert.ok(Number(stamp) >= last, `${stamp} after ${last}`)
        last = Number(stamp)
        return outcome
      }
      for (const answer of before) check(answer)
      // From now on both clocks are right.
      const outcomes = [0, 5, 10].map(later => check({ now: now + later + 1, says: now + later }))
      assert.notEqual(outcomes.at(-1), 'older')
    }),
    { numRuns: 2000 },
  )
})
