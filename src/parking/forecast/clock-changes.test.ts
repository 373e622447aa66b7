import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localClock } from '../local-clock.ts'
import { createForecaster, type Forecaster } from './forecaster.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const clock = localClock('Europe/Jersey')
const instant = (iso: string) => Date.parse(iso)

/** Fills by the wall clock all day long: one space in five minutes from midnight on. */
const byTheWall = (at: number) => Math.floor((clock.wallTime(at) % DAY) / (5 * MINUTE))

function observe(forecaster: Forecaster, from: string, to: string): void {
  for (let at = instant(from); at <= instant(to); at += 5 * MINUTE)
    forecaster.observe({ at, spaces: byTheWall(at) })
}

function expectedAt(forecaster: Forecaster, now: string): number[] {
  const { results, reason } = forecaster.forecast(instant(now))
  assert.equal(reason, null)
  return results.map(({ expected }) => expected)
}

const wallCounts = (now: string) =>
  [15, 30, 60, 120].map(minutes => byTheWall(instant(now) + minutes * MINUTE))

function taughtFrom(from: string, to: string): Forecaster {
  const forecaster = createForecaster(clock)
  observe(forecaster, from, to)
  return forecaster
}

test('in the night in which an hour is left out, the forecast leaps with the clock', () => {
  const forecaster = taughtFrom('2025-02-15T00:00:00Z', '2025-03-30T00:30:00Z')
  assert.deepEqual(wallCounts('2025-03-30T00:30:00Z'), [9, 24, 30, 42])
  assert.deepEqual(expectedAt(forecaster, '2025-03-30T00:30:00Z'), [9, 24, 30, 42])
  observe(forecaster, '2025-03-30T00:35:00Z', '2025-03-30T02:30:00Z')
  assert.deepEqual(expectedAt(forecaster, '2025-03-30T02:30:00Z'), wallCounts('2025-03-30T02:30:00Z'))
  observe(forecaster, '2025-03-30T02:35:00Z', '2025-04-02T10:00:00Z')
  assert.deepEqual(expectedAt(forecaster, '2025-04-02T10:00:00Z'), wallCounts('2025-04-02T10:00:00Z'))
})

test('on the night of the repeated hour the forecast covers it twice', () => {
  const forecaster = taughtFrom('2025-09-10T00:00:00Z', '2025-10-26T00:30:00Z')
  assert.deepEqual(wallCounts('2025-10-26T00:30:00Z'), [21, 12, 18, 30])
  assert.deepEqual(expectedAt(forecaster, '2025-10-26T00:30:00Z'), [21, 12, 18, 30])
  observe(forecaster, '2025-10-26T00:35:00Z', '2025-10-26T01:30:00Z')
  assert.deepEqual(expectedAt(forecaster, '2025-10-26T01:30:00Z'), wallCounts('2025-10-26T01:30:00Z'))
  observe(forecaster, '2025-10-26T01:35:00Z', '2025-10-29T10:00:00Z')
  assert.deepEqual(expectedAt(forecaster, '2025-10-29T10:00:00Z'), wallCounts('2025-10-29T10:00:00Z'))
})

test('forecasts over a change of clock are not measured', () => {
  const forecaster = taughtFrom('2025-02-15T00:00:00Z', '2025-04-02T03:00:00Z')
  const { results } = forecaster.forecast(instant('2025-04-02T00:00:00Z'))
  const errors = results.map(({ error }) => error?.meanAbsoluteError)
  assert.deepEqual(errors, [0, 0, 0, 0])
})

test('excluding an interval across a clock change leaves the readings around it', () => {
  const forecaster = taughtFrom('2025-09-10T00:00:00Z', '2025-10-29T10:00:00Z')
  forecaster.retract(instant('2025-10-26T00:50:00Z'), instant('2025-10-26T01:10:00Z'))
  assert.deepEqual(expectedAt(forecaster, '2025-10-29T10:00:00Z'), wallCounts('2025-10-29T10:00:00Z'))
})

test('the forecast crosses midnight into the new year', () => {
  const forecaster = taughtFrom('2025-11-15T00:00:00Z', '2025-12-31T23:00:00Z')
  assert.deepEqual(expectedAt(forecaster, '2025-12-31T23:00:00Z'), [279, 282, 0, 12])
  observe(forecaster, '2025-12-31T23:05:00Z', '2026-01-01T00:30:00Z')
  assert.deepEqual(expectedAt(forecaster, '2026-01-01T00:30:00Z'), [9, 12, 18, 30])
})
