import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { MONDAY, STEP_MS, UTC_CLOCK } from '../../../test/support/made-up-counts.ts'
import type { Reading } from '../../store/store.ts'
import { QUALITIES, REASONS } from './quality.ts'
import { createQualityCheck } from './quality-check.ts'

/** Realistic and faulty readings: mostly in order, mostly whole counts, with runs and jumps. */
const steps = fc.array(
  fc.record({
    repeat: fc.integer({ min: 1, max: 40 }),
    gap: fc.oneof(
      { weight: 8, arbitrary: fc.constant(STEP_MS) },
      fc.integer({ min: -STEP_MS, max: 40 * STEP_MS }),
    ),
    spaces: fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 0, max: 400 }) },
      fc.double({ noDefaultInfinity: false }),
    ),
    open: fc.constantFrom(true, true, true, null, false),
  }),
  { maxLength: 60 },
)

function readingsOf(drawn: typeof steps extends fc.Arbitrary<infer T> ? T : never): Reading[] {
  let at = MONDAY
  return drawn.flatMap(({ repeat, gap, spaces, open }) =>
    Array.from({ length: repeat }, () => {
      at += gap
      return { at, spaces, open, status: null }
    }),
  )
}

const judgeAll = (readings: readonly Reading[]) => {
  const judge = createQualityCheck(UTC_CLOCK, () => 380)
  return readings.map(one => judge.observe(one))
}

describe('whatever the readings', () => {
  it('each gets a verdict whose parts agree', () => {
    fc.assert(
      fc.property(steps, drawn => {
        for (const { quality, reason, observedAt, changedAt, since } of judgeAll(readingsOf(drawn))) {
          assert.ok(QUALITIES.includes(quality))
          assert.equal(REASONS[reason].quality, quality)
          assert.ok(observedAt !== null && changedAt !== null && since !== null)
          assert.ok(changedAt <= observedAt && since <= observedAt)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('a verdict follows from what came before alone', () => {
    fc.assert(
      fc.property(steps, steps, fc.nat(), (past, future, cut) => {
        const readings = readingsOf(past)
        const until = readings.slice(0, cut % (readings.length + 1))
        const whole = judgeAll([...until, ...readingsOf(future)])
        assert.deepEqual(whole.slice(0, until.length), judgeAll(until))
      }),
      { numRuns: 200 },
    )
  })
})
