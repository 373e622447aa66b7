import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bankHoliday } from '../../island/bank-holidays.ts'
import { localClock } from '../local-clock.ts'
import type { Forecast } from './forecast.ts'
import { createForecaster, type Forecaster, type GoodReading } from './forecaster.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const clock = localClock('Europe/Jersey')
const instant = (iso: string) => Date.parse(iso)
const newForecaster = () => createForecaster(clock)

/** Free spaces of 400 in a made-up car park: full on working days, half full on Saturdays, nearly empty else. */
function madeUpCount(at: number): number {
  const wall = clock.wallTime(at)
  const day = Math.floor(wall / 86_400_000)
  const weekday = new Date(wall).getUTCDay()
  const hour = (wall - day * DAY) / 3_600_000
  const idle = weekday === 0 || bankHoliday(day) !== undefined
  const busy = idle ? 0.15 : weekday === 6 ? 0.5 : 0.9
  // No two days are the same.
  const usual = 1 + (((day * 7919) % 11) - 5) / 100
  return Math.round(400 * (1 - busy * usual * Math.max(0, Math.sin((Math.PI * (hour - 6)) / 14))))
}

function* readings(from: string, to: string, count = madeUpCount): Generator<GoodReading> {
  for (let at = instant(from); at <= instant(to); at += 5 * MINUTE) yield { at, spaces: count(at) }
}

function taught(from: string, to: string, count = madeUpCount): Forecaster {
  const forecaster = newForecaster()
  for (const reading of readings(from, to, count)) forecaster.observe(reading)
  return forecaster
}

function given(answer: Forecast): Forecast {
  assert.equal(answer.reason, null, answer.detail ?? '')
  return answer
}

/** The absolute errors of the forecast made at a time, by horizon. */
const absoluteErrors = (forecaster: Forecaster, now: string, count = madeUpCount) =>
  given(forecaster.forecast(instant(now))).results.map(entry =>
    Math.abs(entry.expected - count(instant(entry.at))),
  )

test('after some weeks it predicts the morning rush, which the persistence forecast does not', () => {
  const forecaster = taught('2025-09-01T00:00:00Z', '2025-10-07T07:00:00Z')
  const now = instant('2025-10-07T07:03:00Z')
  const forecast = given(forecaster.forecast(now))
  const { results } = forecast
  assert.equal(forecast.from, '2025-10-07T07:00:00.000Z')
  const from = instant(forecast.from)
  assert.deepEqual(
    results.map(({ minutesAhead, at }) => [minutesAhead, (instant(at) - from) / MINUTE]),
    [15, 30, 60, 120].map(minutes => [minutes, minutes]),
  )
  for (const { at, expected, low, high, error } of results) {
    assert.ok(
      Math.abs(expected - madeUpCount(instant(at))) <= 12,
      `${expected} for ${madeUpCount(instant(at))}`,
    )
    assert.ok(low <= expected && expected <= high)
    assert.ok(error && error.count > 50 && error.meanAbsoluteError < error.persistenceMeanAbsoluteError / 2)
  }
  assert.ok(madeUpCount(from) - madeUpCount(instant(results[3]?.at ?? '')) > 100)
})

test('the published error is that of the forecasts that were given', () => {
  const forecaster = newForecaster()
  const made: { from: number; at: number; expected: number; low: number; high: number }[] = []
  const end = '2025-10-08T12:00:00Z'
  for (const reading of readings('2025-08-20T00:00:00Z', end)) {
    forecaster.observe(reading)
    const wall = clock.wallTime(reading.at)
    const hour = Math.floor((wall % 86_400_000) / 900_000) / 4
    if (wall % (30 * MINUTE) !== 0 || hour < 12 || hour >= 15) continue
    const answer = forecaster.forecast(reading.at)
    const entry = answer.results[2]
    if (entry === undefined) continue
    made.push({ ...entry, from: reading.at, at: instant(entry.at) })
  }
  const { error } = given(forecaster.forecast(instant(end))).results[2] ?? {}
  // The forecasts of 28 days by the wall clock, including today.
  const met = made.filter(({ from, at }) => at <= instant(end) && from >= instant('2025-09-10T23:00:00Z'))
  const rounded = (value: number) => Math.round(value * 100) / 100
  const mean = (numbers: number[]) =>
    rounded(numbers.reduce((sum, number) => sum + number, 0) / numbers.length)
  assert.equal(error?.count, met.length)
  assert.equal(
    error.meanAbsoluteError,
    mean(met.map(({ at, expected }) => Math.abs(expected - madeUpCount(at)))),
  )
  assert.equal(
    error.persistenceMeanAbsoluteError,
    mean(met.map(({ from, at }) => Math.abs(madeUpCount(from) - madeUpCount(at)))),
  )
  const held = met.filter(({ at, low, high }) => low <= madeUpCount(at) && madeUpCount(at) <= high)
  assert.equal(error.coverage, rounded(held.length / met.length))
})

test('without enough past it says so, then that its error is not known yet', () => {
  const forecaster = newForecaster()
  assert.equal(forecaster.forecast(instant('2025-09-01T12:00:00Z')).reason, 'NO_RECENT_COUNT')
  const reasons = new Map<string | null, number>()
  for (const reading of readings('2025-09-01T00:00:00Z', '2025-09-25T12:00:00Z')) {
    forecaster.observe(reading)
    if (reading.at % DAY !== DAY / 2) continue
    const why = forecaster.forecast(reading.at).reason
    reasons.set(why, (reasons.get(why) ?? 0) + 1)
  }
  assert.deepEqual([...reasons.keys()], ['TOO_LITTLE_PAST', 'NOT_YET_MEASURED', null])
  assert.ok((reasons.get('TOO_LITTLE_PAST') ?? 0) >= 10)
})

test('an old count and one that is not trusted are nothing to start from', () => {
  const forecaster = taught('2025-09-01T00:00:00Z', '2025-10-07T07:00:00Z')
  const last = instant('2025-10-07T07:00:00Z')
  assert.equal(forecaster.forecast(last + 15 * MINUTE).reason, null)
  assert.equal(forecaster.forecast(last + 16 * MINUTE).reason, 'NO_RECENT_COUNT')
  forecaster.retract(last - 60 * MINUTE, last)
  assert.equal(forecaster.forecast(last).reason, 'COUNT_NOT_TRUSTED')
  forecaster.observe({ at: last + 5 * MINUTE, spaces: madeUpCount(last) })
  assert.equal(forecaster.forecast(last + 5 * MINUTE).reason, null)
})

test('excluded readings have no effect', () => {
  const [begin, end] = ['2025-09-24T08:00:00Z', '2025-09-27T10:00:00Z']
  const [from, to] = [instant(begin), instant(end)]
  const misled = taught('2025-09-01T00:00:00Z', end, at => madeUpCount(Math.min(at, from)))
  misled.retract(from, to)
  const spared = newForecaster()
  for (const reading of readings('2025-09-01T00:00:00Z', end)) if (reading.at < from) spared.observe(reading)
  for (const reading of readings('2025-09-27T10:05:00Z', '2025-10-07T07:00:00Z')) {
    misled.observe(reading)
    spared.observe(reading)
  }
  const now = instant('2025-10-07T07:00:00Z')
  assert.deepEqual(given(misled.forecast(now)), given(spared.forecast(now)))
  assert.deepEqual(misled.typical(), spared.typical())
})

test('five weeks without readings are bridged, twelve are not', () => {
  const bridged = taught('2025-06-01T00:00:00Z', '2025-07-20T00:00:00Z')
  for (const reading of readings('2025-08-26T04:00:00Z', '2025-08-27T07:00:00Z')) bridged.observe(reading)
  assert.ok(Math.max(...absoluteErrors(bridged, '2025-08-27T07:00:00Z')) < 20)
  for (const reading of readings('2025-11-20T04:00:00Z', '2025-11-20T08:00:00Z')) bridged.observe(reading)
  assert.equal(bridged.forecast(instant('2025-11-20T08:00:00Z')).reason, 'TOO_LITTLE_PAST')
})

test('a bank holiday is forecast like a Sunday, and the next Monday like a Monday', () => {
  const forecaster = taught('2025-07-01T00:00:00Z', '2025-08-25T07:00:00Z')
  assert.ok(Math.max(...absoluteErrors(forecaster, '2025-08-25T07:00:00Z')) < 12)
  for (const reading of readings('2025-08-25T07:05:00Z', '2025-09-01T07:00:00Z')) forecaster.observe(reading)
  assert.ok(Math.max(...absoluteErrors(forecaster, '2025-09-01T07:00:00Z')) < 12)
})

test('a car park that never changes, and one that is always full, stay as they are', () => {
  for (const spaces of [0, 137]) {
    const forecaster = taught('2025-09-01T00:00:00Z', '2025-10-07T07:00:00Z', () => spaces)
    const { results } = given(forecaster.forecast(instant('2025-10-07T07:00:00Z')))
    for (const { expected, low, high, chanceOfTen, error } of results) {
      assert.equal(chanceOfTen, spaces === 0 ? 0 : 1)
      assert.deepEqual([expected, low, high], [spaces, spaces, spaces])
      assert.deepEqual([error?.meanAbsoluteError, error?.coverage], [0, 1])
    }
  }
})

test('the chance of ten spaces follows the rush: certain in the morning, small at noon, larger the more spaces there are now', () => {
  const small = (at: number) => Math.max(0, Math.round(madeUpCount(at) / 4) - 12)
  const chances = (spaces: number, now: string) => {
    const forecaster = taught('2025-09-01T00:00:00Z', now, small)
    forecaster.observe({ at: instant(now) + 5 * MINUTE, spaces })
    return given(forecaster.forecast(instant(now) + 5 * MINUTE)).results.map(({ chanceOfTen }) => chanceOfTen)
  }
  assert.ok(chances(88, '2025-10-07T02:00:00Z').every(chance => chance >= 0.99))
  assert.ok(chances(0, '2025-10-07T11:00:00Z').every(chance => chance <= 0.02))
  const byNow = [0, 2, 4, 6, 8, 10, 12, 15, 20, 30, 50].map(spaces => chances(spaces, '2025-10-07T11:00:00Z'))
  for (const horizon of byNow[0]?.keys() ?? []) {
    const ofHorizon = byNow.map(of => of[horizon] ?? -1)
    assert.deepEqual(
      ofHorizon.toSorted((a, b) => a - b),
      ofHorizon,
    )
    assert.ok(ofHorizon.every(chance => chance >= 0 && chance <= 1))
  }
})

test('after a jump in level it continues from the new one, within the range ever seen', () => {
  const jump = instant('2025-10-06T02:00:00Z')
  const count = (at: number) => madeUpCount(at) + (at < jump ? 0 : 500)
  const forecaster = taught('2025-09-01T00:00:00Z', '2025-10-07T07:00:00Z', count)
  assert.ok(Math.max(...absoluteErrors(forecaster, '2025-10-07T07:00:00Z', count)) < 60)
  for (const reading of readings('2025-10-07T07:05:00Z', '2025-10-12T18:00:00Z', count)) {
    forecaster.observe(reading)
    for (const { low, high } of forecaster.forecast(reading.at).results) assert.ok(low >= 0 && high <= 900)
  }
})

test('late or duplicate readings change nothing', () => {
  const forecaster = taught('2025-09-01T00:00:00Z', '2025-10-07T07:00:00Z')
  const now = instant('2025-10-07T07:00:00Z')
  const before = forecaster.forecast(now)
  forecaster.observe({ at: now, spaces: 3 })
  forecaster.observe({ at: now - DAY, spaces: 3 })
  assert.deepEqual(forecaster.forecast(now), before)
})

test('no reading after now changes a forecast', () => {
  const series = [...readings('2025-09-01T00:00:00Z', '2025-10-01T00:00:00Z')]
  const cut = fc.integer({ min: series.length - 2000, max: series.length - 1 })
  fc.assert(
    fc.property(cut, fc.nat(400), (at, other) => {
      const answers = [0, other].map(later => {
        const forecaster = newForecaster()
        let answer: unknown
        for (const [i, reading] of series.entries()) {
          forecaster.observe(i <= at ? reading : { ...reading, spaces: later })
          if (i === at) answer = structuredClone(forecaster.forecast(reading.at))
        }
        return answer
      })
      assert.deepEqual(answers[0], answers[1])
    }),
    { numRuns: 5 },
  )
})
