import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bankHoliday } from '../../island/bank-holidays.ts'
import { localClock } from '../local-clock.ts'
import type { TypicalDay, TypicalWeek } from './forecast.ts'
import { createForecaster, type Forecaster } from './forecaster.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const clock = localClock('Europe/Jersey')
/** The day since 1970 and the quarter of an hour of a wall time. */
const partsOf = (wall: number) => ({
  day: Math.floor(wall / DAY),
  quarter: Math.floor((wall % DAY) / (15 * MINUTE)),
})

/** A forecaster trained with the counts of each five minutes, where there are any. */
function taught(from: string, to: string, count: (at: number) => number | undefined): Forecaster {
  const forecaster = createForecaster(clock)
  for (let at = Date.parse(from); at < Date.parse(to); at += 5 * MINUTE) {
    const spaces = count(at)
    if (spaces !== undefined) forecaster.observe({ at, spaces })
  }
  return forecaster
}

function typicalOf(forecaster: Forecaster): TypicalWeek {
  const typical = forecaster.typical()
  assert.equal(typical.reason, null)
  return typical
}

const dayOf = (typical: TypicalWeek, kind: TypicalDay['day']) =>
  typical.results.find(({ day }) => day === kind) ?? assert.fail(kind)

const EMPTY = { time: '00:00', p10: null, p50: null, p90: null, days: 0 }

test('each quarter of an hour of each weekday has its percentiles over the weeks', () => {
  const monday = Date.parse('2025-09-01') / DAY
  // Ten weeks: 100 free in the first, 110 in the second and so on; one more in each later quarter of an hour.
  const typical = typicalOf(
    taught('2025-08-31T23:00:00Z', '2025-11-10T00:00:00Z', at => {
      const { day, quarter } = partsOf(clock.wallTime(at))
      return 100 + 10 * Math.floor((day - monday) / 7) + quarter
    }),
  )
  assert.deepEqual([typical.from, typical.to], ['2025-09-01', '2025-11-09'])
  for (const day of typical.results.slice(0, 7)) {
    assert.equal(day.days, 10)
    assert.deepEqual(day.quarters[0], { time: '00:00', p10: 109, p50: 145, p90: 181, days: 10 })
    assert.deepEqual(day.quarters[95], { time: '23:45', p10: 204, p50: 240, p90: 276, days: 10 })
  }
})

test('bank holidays are a kind of their own and spoil no weekday', () => {
  const typical = typicalOf(
    taught('2025-03-25T00:00:00Z', '2025-05-31T23:00:00Z', at =>
      bankHoliday(partsOf(clock.wallTime(at)).day) === undefined ? 20 : 380,
    ),
  )
  // Good Friday, Easter Monday, early May, Liberation Day and late May.
  const holiday = dayOf(typical, 'bank-holiday')
  assert.deepEqual(
    [holiday.days, holiday.quarters[40]],
    [5, { time: '10:00', p10: 380, p50: 380, p90: 380, days: 5 }],
  )
  const monday = dayOf(typical, 'monday')
  assert.deepEqual(
    [monday.days, monday.quarters[40]],
    [6, { time: '10:00', p10: 20, p50: 20, p90: 20, days: 6 }],
  )
})

test('the night of a change of clock counts as other nights, its left out hour not at all', () => {
  const spring = typicalOf(taught('2025-03-01T00:00:00Z', '2025-04-10T00:00:00Z', () => 50))
  assert.equal(dayOf(spring, 'sunday').quarters[5]?.days, 5)
  assert.equal(dayOf(spring, 'sunday').quarters[3]?.days, 6)
  const autumn = typicalOf(taught('2025-10-01T00:00:00Z', '2025-11-01T00:00:00Z', () => 50))
  assert.deepEqual(dayOf(autumn, 'sunday').quarters[5], { time: '01:15', p10: 50, p50: 50, p90: 50, days: 4 })
})

test('hours without readings stay empty, and a kind of day that came but twice', () => {
  const typical = typicalOf(
    taught('2025-09-01T00:00:00Z', '2025-09-20T00:00:00Z', at =>
      partsOf(clock.wallTime(at)).quarter < 40 ? 7 : undefined,
    ),
  )
  const { quarters } = dayOf(typical, 'wednesday')
  assert.deepEqual([quarters[39]?.p50, quarters[40]], [7, { ...EMPTY, time: '10:00' }])
  assert.deepEqual([dayOf(typical, 'sunday').days, dayOf(typical, 'sunday').quarters[0]], [2, EMPTY])
})

test('readings older than twelve weeks are forgotten', () => {
  const typical = typicalOf(
    taught('2025-03-01T00:00:00Z', '2025-09-01T00:00:00Z', at =>
      at < Date.parse('2025-06-01') ? 1 : at > Date.parse('2025-06-10') ? 300 : undefined,
    ),
  )
  assert.ok(
    typical.results.every(day => day.quarters.every(quarter => quarter.p10 === null || quarter.p10 === 300)),
  )
  assert.equal(typical.from, '2025-06-10')
})

test('without three days of a kind there is no typical week, and it says why', () => {
  for (const days of [0, 1, 14]) {
    const end = new Date(Date.parse('2025-09-01T00:00:00Z') + days * DAY).toISOString()
    const typical = taught('2025-09-01T00:00:00Z', end, () => 9).typical()
    assert.deepEqual([typical.reason, typical.results], ['TOO_LITTLE_PAST', []])
  }
})
