import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  DAY_MS,
  every,
  feed,
  HOUR_MS,
  standing,
  workingCarPark,
} from '../../../test/support/made-up-counts.ts'
import { localClock } from '../local-clock.ts'
import { createQualityCheck } from './quality-check.ts'

const clock = localClock('Europe/Jersey')
/** A car park whose count starts to move at seven by the clock. */
const habit = { clock, moves: (_: number, hour: number) => (hour >= 7 && hour < 21 ? 0.85 : 0.01) }

describe('habits go by the island’s clock', () => {
  for (const [what, turn] of [
    ['the clocks go forward', Date.UTC(2025, 2, 30, 1)],
    ['the clocks go back', Date.UTC(2025, 9, 26, 1)],
    ['the year turns', Date.UTC(2025, 0, 1)],
  ] as const)
    it(`while ${what}`, () => {
      const judge = createQualityCheck(clock)
      const from = turn - 28 * DAY_MS
      every(feed(judge, workingCarPark(from, turn + 14 * DAY_MS, habit)), 'good')
      const wall = clock.wallTime(turn + 14 * DAY_MS)
      const seven = turn + 14 * DAY_MS + (Math.ceil(wall / DAY_MS) * DAY_MS + 7 * HOUR_MS - wall)
      feed(judge, workingCarPark(turn + 14 * DAY_MS, seven, habit))
      const verdicts = feed(judge, standing(seven, seven + 3 * HOUR_MS, 250))
      const found = verdicts.find(({ quality }) => quality === 'frozen')?.observedAt ?? Number.NaN
      assert.ok(found - seven <= 90 * 60_000)
    })

  it('and the repeated hour counts once for each time that it passes', () => {
    const judge = createQualityCheck(clock)
    const turn = Date.UTC(2025, 9, 26, 1)
    feed(judge, workingCarPark(turn - 28 * DAY_MS, turn - HOUR_MS, habit))
    const night = feed(judge, standing(turn - HOUR_MS, turn + HOUR_MS, 300))
    every(night.slice(-12), 'good')
    assert.equal(night.at(-1)?.changedAt, turn - HOUR_MS)
  })
})
