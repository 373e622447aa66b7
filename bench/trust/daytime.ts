import type { LocalClock } from '../../src/parking/local-clock.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const FROM_HOUR = 7
const TO_HOUR = 19

/** The daytime minutes (07 to 19 h by the clock) between two instants. */
export function daytimeMinutes(clock: LocalClock, from: number, to: number): number {
  const end = clock.wallTime(to)
  let at = clock.wallTime(from)
  let minutes = 0
  while (at < end) {
    const midnight = Math.floor(at / DAY_MS) * DAY_MS
    const start = Math.max(at, midnight + FROM_HOUR * HOUR_MS)
    const stop = Math.min(end, midnight + TO_HOUR * HOUR_MS)
    minutes += Math.max(0, stop - start) / MINUTE_MS
    at = midnight + DAY_MS
  }
  return Math.round(minutes)
}

/** An instant as shown by the clock, with the weekday: `Sun 2025-02-02 00:24`. */
export function clockText(clock: LocalClock, instant: number): string {
  const wall = new Date(clock.wallTime(instant))
  return `${wall.toUTCString().slice(0, 3)} ${wall.toISOString().slice(0, 16).replace('T', ' ')}`
}
