import { kindOfDay } from '../../src/parking/forecast/day-frame.ts'
import { ENOUGH_SPACES } from '../../src/parking/forecast/parameters.ts'
import type { LocalClock } from '../../src/parking/local-clock.ts'

/*
 * The baseline of the chance: how often there were enough spaces in the same half-hour on days of the same kind, over eight weeks.
 */

const DAYS = 56
const DAY_MS = 86_400_000
const HALF_HOUR_MS = 1_800_000

/** The average of a car park's past, for times that lie ahead. */
export interface Average {
  learn(at: number, spaces: number): void
  /** The share of readings with enough spaces in the half-hour of a later time; undefined without such a reading. */
  chance(now: number, time: number): number | undefined
}

/** Makes an average without data. */
export function average(clock: LocalClock): Average {
  /** By half-hour since 1970 of the wall clock: the number of readings, and of those with enough spaces. */
  const halfHours = new Map<number, { readings: number; enough: number }>()
  const dayOf = (wall: number) => Math.floor(wall / DAY_MS)
  return {
    learn(at, spaces) {
      const halfHour = Math.floor(clock.wallTime(at) / HALF_HOUR_MS)
      const found = halfHours.get(halfHour) ?? { readings: 0, enough: 0 }
      found.readings++
      if (spaces >= ENOUGH_SPACES) found.enough++
      halfHours.set(halfHour, found)
    },
    chance(now, time) {
      const [today, wall] = [dayOf(clock.wallTime(now)), clock.wallTime(time)]
      const kind = kindOfDay(dayOf(wall), clock)
      const halfHour = Math.floor((wall % DAY_MS) / HALF_HOUR_MS)
      let readings = 0
      let enough = 0
      for (let day = today - DAYS; day < today; day++) {
        if (kindOfDay(day, clock) !== kind) continue
        const found = halfHours.get((day * DAY_MS) / HALF_HOUR_MS + halfHour)
        readings += found?.readings ?? 0
        enough += found?.enough ?? 0
      }
      return readings === 0 ? undefined : enough / readings
    },
  }
}
