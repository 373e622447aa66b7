import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  counts,
  DAY_MS,
  every,
  feed,
  HOUR_MS,
  MONDAY,
  qualities,
  reading,
  STEP_MS,
  standing,
  UTC_CLOCK,
  workingCarPark,
} from '../../../test/support/made-up-counts.ts'
import { createQualityCheck } from './quality-check.ts'

const novice = () => createQualityCheck(UTC_CLOCK)

describe('a judge that knows nothing', () => {
  it('holds the first reading good, whatever it is', () => {
    const verdict = novice().observe(reading(MONDAY, 0))
    assert.deepEqual(verdict, {
      quality: 'good',
      reason: 'nothing-suspicious',
      observedAt: MONDAY,
      changedAt: MONDAY,
      since: MONDAY,
    })
  })

  it('holds a working car park good from the first day', () => {
    every(feed(novice(), workingCarPark(MONDAY, MONDAY + 7 * DAY_MS)), 'good')
  })

  it('finds a counter that never moves on a working day, within 90 minutes', () => {
    const morning = MONDAY + 9 * HOUR_MS
    const verdicts = feed(novice(), standing(morning, morning + 4 * HOUR_MS, 137))
    const found = verdicts.find(({ quality }) => quality === 'frozen')?.observedAt ?? Number.NaN
    assert.ok(found - morning > HOUR_MS && found - morning <= 90 * 60_000)
  })

  it('says nothing of a night', () => {
    const evening = MONDAY + 21 * HOUR_MS
    every(feed(novice(), standing(evening, evening + 10 * HOUR_MS, 137)), 'good')
  })

  it('says nothing of a car park that is full from the first reading on', () => {
    const morning = MONDAY + 8 * HOUR_MS
    every(feed(novice(), standing(morning, morning + 6 * HOUR_MS, 0)), 'good')
  })

  it('learns within a week that a car park has few cars an hour', () => {
    const moves = (_: number, hour: number) => (hour >= 7 && hour < 19 ? 0.2 : 0.02)
    const verdicts = feed(novice(), workingCarPark(MONDAY, MONDAY + 28 * DAY_MS, { moves }))
    every(verdicts.slice(-14 * 288), 'good')
  })

  it('believes a jump at its third reading', () => {
    const verdicts = feed(novice(), counts(MONDAY, [400, 100, 101, 102]))
    assert.deepEqual(qualities(verdicts), ['good', 'implausible', 'implausible', 'good'])
    assert.equal(verdicts.at(-1)?.observedAt, MONDAY + 3 * STEP_MS)
  })
})
