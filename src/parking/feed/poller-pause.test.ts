import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pauseBeforeNext } from './poller.ts'

const MINUTE = 60_000
const poll = { intervalMs: MINUTE, elapsedMs: 0, error: undefined, random: () => 0 }

test('next poll: polls begin an interval apart; one that took longer is followed at once', () => {
  assert.equal(pauseBeforeNext({ ...poll, elapsedMs: 7000 }), 53_000)
  assert.equal(pauseBeforeNext({ ...poll, elapsedMs: 70_000 }), 0)
})

test('next poll: never negative, never later than an interval or five minutes, whichever is more', () => {
  const times = fc.integer({ min: 0, max: 1e8 })
  const ends = fc.record({
    intervalMs: fc.integer({ min: 1000, max: 3_600_000 }),
    elapsedMs: times,
    error: fc.option(fc.record({ retryAfterMs: fc.option(times, { nil: undefined }) }), { nil: undefined }),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }).map(value => () => value),
  })
  fc.assert(
    fc.property(ends, end => {
      const pause = pauseBeforeNext(end)
      assert.ok(pause >= 0 && pause <= Math.max(end.intervalMs, 5 * MINUTE))
      if (end.error && end.error.retryAfterMs === undefined)
        assert.ok(pause <= Math.min(end.intervalMs, 5 * MINUTE))
    }),
  )
})
