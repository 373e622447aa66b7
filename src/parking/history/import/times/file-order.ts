import { type ReadingTable, WRITTEN } from '../reading-table.ts'

/** A step back by more, in times without a year, is one ahead over New Year, and the other way round. */
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

/** The places of a file's readings, oldest first as far as the file is in order. */
export function* oldestFirst(length: number, newestFirst: boolean): Generator<number> {
  for (let step = 0; step < length; step++) yield newestFirst ? length - 1 - step : step
}
