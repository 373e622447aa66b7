import type { HistoricReading, ReadingStore } from '../../../store/store.ts'

/** So much of what is kept is looked at together. */
const WINDOW_MS = 30 * 86_400_000

/** How many of the readings, given in the order of time, the store does not have. */
export async function countNew(
  store: Pick<ReadingStore, 'readings'>,
  readings: Iterable<HistoricReading>,
): Promise<number> {
  let known = new Set<string>()
  let until = Number.NEGATIVE_INFINITY
  let count = 0
  for (const reading of readings) {
    if (reading.at >= until) {
      until = reading.at + WINDOW_MS
      known = new Set((await store.readings({ from: reading.at, to: until })).map(keyOf))
    }
    if (!known.has(keyOf(reading))) count++
  }
  return count
}

const keyOf = ({ at, code }: HistoricReading) => `${at} ${code.toUpperCase()}`
