import { chanceInputs, chanceOfTen } from '../../src/parking/forecast/chance.ts'
import { type Forecast, type ForecastEntry, noForecast } from '../../src/parking/forecast/forecast.ts'
import { createForecaster } from '../../src/parking/forecast/forecaster.ts'
import { ENOUGH_SPACES, HORIZONS } from '../../src/parking/forecast/parameters.ts'
import type { LocalClock } from '../../src/parking/local-clock.ts'
import { average } from './average.ts'
import { chanceByInterval } from './chances.ts'
import type { JudgedReading } from './judged-readings.ts'
import { plainProfile } from './plain-profile.ts'
import { addOutcome, emptyScore, type Score } from './scores.ts'

const DAY_MS = 86_400_000
const SLOT_MS = 300_000
const FIRST_HOUR = 7
const LAST_HOUR = 19

/** The period and the interval of forecasts. Days are local days, both included. */
export interface Period {
  readonly clock: LocalClock
  readonly firstDay: number
  readonly lastDay: number
  readonly everyMs: number
}

/**
 * Replays a car park's readings by time. Makes all forecasts at the same moments, Monday to Saturday, 7 to 19 h, from earlier
 * readings alone. Returns a score for each time ahead. A moment counts if it has an outcome and a plain profile.
 */
export function backTest(readings: readonly JudgedReading[], period: Period): Score[] {
  const { clock } = period
  const inputs: (readonly number[])[] = []
  const forecaster = createForecaster(clock, (horizon, outlook) => {
    inputs[horizon] = chanceInputs(outlook)
    return chanceOfTen(horizon, outlook)
  })
  const plain = plainProfile(clock)
  const usual = average(clock)
  const outcomes = outcomesOf(readings)
  const scores = HORIZONS.map(emptyScore)
  for (const [i, reading] of readings.entries()) {
    const { at, spaces, good, badSince, trusted } = reading
    if (badSince !== undefined) forecaster.retract(badSince, at)
    if (good) forecaster.observe(reading)
    if (counts(at, period)) {
      const forecast = good ? forecaster.forecast(at) : untrusted
      for (const [horizon, minutes] of HORIZONS.entries()) {
        const came = outcomes(i, at + minutes * 60_000)
        const byProfile = plain.forecast(at, spaces, minutes)
        const score = scores[horizon]
        if (came === undefined || byProfile === undefined || score === undefined) continue
        const ours = oursOf(forecast, horizon)
        const byAverage = usual.chance(at, at + minutes * 60_000)
        const chance =
          typeof ours === 'string' || byAverage === undefined
            ? undefined
            : {
                average: byAverage,
                interval: chanceByInterval(ours),
                ours: ours.chanceOfTen,
                came: came >= ENOUGH_SPACES,
                inputs: inputs[horizon] ?? [],
              }
        addOutcome(score, { now: spaces, came, plain: byProfile, ours, chance })
      }
    }
    if (trusted) {
      plain.learn(at, spaces)
      usual.learn(at, spaces)
    }
  }
  return scores
}

const untrusted = noForecast('COUNT_NOT_TRUSTED', '')

const oursOf = ({ reason, results }: Forecast, horizon: number): ForecastEntry | string =>
  reason ?? results[horizon] ?? 'TOO_LITTLE_PAST'

function counts(at: number, { clock, firstDay, lastDay, everyMs }: Period): boolean {
  const wall = Math.round(clock.wallTime(at) / SLOT_MS) * SLOT_MS
  const day = Math.floor(wall / DAY_MS)
  const hour = (wall - day * DAY_MS) / 3_600_000
  // 4 January 1970 was a Sunday.
  if (wall % everyMs !== 0 || (day - 3) % 7 === 0) return false
  return hour >= FIRST_HOUR && hour < LAST_HOUR && day >= firstDay && day <= lastDay
}

/** Finds the trusted count within half a step of a time after a reading. */
function outcomesOf(readings: readonly JudgedReading[]) {
  return (start: number, time: number): number | undefined => {
    let best: JudgedReading | undefined
    for (let i = start; i < readings.length; i++) {
      const reading = readings[i] as JudgedReading
      if (reading.at > time + SLOT_MS / 2) break
      const apart = Math.abs(reading.at - time)
      if (apart <= SLOT_MS / 2 && (best === undefined || apart < Math.abs(best.at - time))) best = reading
    }
    return best?.trusted ? best.spaces : undefined
  }
}
