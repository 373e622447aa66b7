import type { LocalClock } from '../../../local-clock.ts'
import { REJECTED, type ReadingTable, WRITTEN } from '../reading-table.ts'
import type { AmbiguousReading } from './ambiguous-hours.ts'

/** A longer step back, in times without a year, is one ahead over New Year, and the other way round. */
export const HALF_YEAR_MS = 183 * 86_400_000

/** True where the file has its newest readings first: most steps from one of a car park's readings to its next go back. */
export function isNewestFirst({ length, times, written, carParks }: ReadingTable): boolean {
  const last = new Map<number, number>()
  let later = 0
  for (let at = 0; at < length; at++) {
    const carPark = carParks[at] as number
    const time = times[at] as number
    const step = time - (last.get(carPark) ?? time)
    const isOverNewYear = written[at] === WRITTEN.localWithoutYear && Math.abs(step) > HALF_YEAR_MS
    later += isOverNewYear ? -Math.sign(step) : Math.sign(step)
    last.set(carPark, time)
  }
  return later < 0
}

/** The places of a file's readings, oldest first as far as the file is sorted. */
export function* oldestFirst(length: number, newestFirst: boolean): Generator<number> {
  for (let step = 0; step < length; step++) yield newestFirst ? length - 1 - step : step
}

/**
 * Converts each unambiguous local time to an instant. Calls `reject` for those in the gap of spring, and returns the
 * ambiguous ones of the DST overlap, oldest first as the file has them.
 */
export function placeLocalTimes(
  table: ReadingTable,
  { clock, newestFirst }: { readonly clock: LocalClock; readonly newestFirst: boolean },
  reject: (at: number) => void,
): AmbiguousReading[] {
  const ambiguous: AmbiguousReading[] = []
  let lastTime = Number.NaN
  let last: readonly number[] = []
  for (const at of oldestFirst(table.length, newestFirst)) {
    if (table.written[at] !== WRITTEN.local || table.spaces[at] === REJECTED) continue
    const time = table.times[at] as number
    if (time !== lastTime) last = instantsOf(time, clock)
    lastTime = time
    const [earlier, later] = last
    if (earlier === undefined) reject(at)
    else if (later === undefined) {
      table.times[at] = earlier
      table.written[at] = WRITTEN.instant
    } else ambiguous.push({ at, earlier, shift: later - earlier })
  }
  return ambiguous
}

const DAY_MS = 86_400_000

/** The instants at which the clock shows a time: none in the gap of spring, two in the DST overlap of autumn. */
export function instantsOf(wallTime: number, clock: LocalClock): readonly number[] {
  // A day before a change of the clock its offset is the old one, and a day after the new one.
  const [before, after] = [-DAY_MS, DAY_MS].map(away => {
    const near = wallTime + away
    return wallTime - (clock.wallTime(near) - near)
  }) as [number, number]
  const instants = before === after ? [before] : [before, after].sort((a, b) => a - b)
  return instants.filter(instant => clock.wallTime(instant) === wallTime)
}
