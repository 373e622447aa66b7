import { type ReadingTable, WRITTEN } from '../reading-table.ts'
import { hasRepeats, momentsOf, placedBetween, rhythmOf } from './moments.ts'
import { MOST_MOMENTS, splitPasses } from './two-passes.ts'

/** A reading at an ambiguous local time (fold): the clock shows it twice. */
export interface AmbiguousReading {
  /** Its place in the table. */
  readonly at: number
  /** The instant in the first pass of the DST overlap. */
  readonly earlier: number
  readonly shift: number
}

/** The split of an hour of the DST overlap, for the report. */
export interface RepeatedHour {
  /** The earliest instant of its readings in the first pass; ISO 8601 UTC. */
  readonly from: string
  /** Readings in the first pass, and in the second. */
  readonly first: number
  readonly second: number
  /** Whether the order of the file or the counts decided. */
  readonly by: 'order' | 'counts'
}

const DAY_MS = 86_400_000
/** The time before and after the overlap from which the usual steps are learned. */
const AROUND_MS = 3 * 3_600_000

/** Assigns the readings of every DST overlap to its first or second pass. `readings` are oldest first, as the file has them. */
export function placeAmbiguousHours(
  table: ReadingTable,
  carParks: number,
  readings: readonly AmbiguousReading[],
  reject: (at: number) => void,
): RepeatedHour[] {
  return nightsOf(readings).flatMap(night => {
    const byOrder = splitByOrder(table, night)
    const second = byOrder ?? splitByCounts(table, carParks, night)
    if (second === undefined) {
      for (const { at } of night) reject(at)
      return []
    }
    for (const [index, { at, earlier, shift }] of night.entries()) {
      table.times[at] = second[index] ? earlier + shift : earlier
      table.written[at] = WRITTEN.instant
    }
    const inSecond = second.filter(Boolean).length
    return {
      from: new Date(night.reduce((least, { earlier }) => Math.min(least, earlier), Infinity)).toISOString(),
      first: night.length - inSecond,
      second: inSecond,
      by: byOrder === undefined ? 'counts' : 'order',
    } as const
  })
}

/** The readings of each night, in the order of the file. */
function nightsOf(readings: readonly AmbiguousReading[]): AmbiguousReading[][] {
  const nights = new Map<number, AmbiguousReading[]>()
  for (const reading of readings) {
    const key = [...nights.keys()].find(each => Math.abs(each - reading.earlier) < DAY_MS) ?? reading.earlier
    const night = nights.get(key)
    if (night === undefined) nights.set(key, [reading])
    else night.push(reading)
  }
  return [...nights].sort(([a], [b]) => a - b).map(([, night]) => night)
}

/**
 * Splits a night where the file goes back in time from one reading of a car park to its next: the rest is the second
 * pass. Undefined where it never does: its lines were sorted by the clock. A step back by less than half of the shift of
 * the clock is a line out of order.
 */
function splitByOrder({ carParks }: ReadingTable, night: readonly AmbiguousReading[]): boolean[] | undefined {
  const last = new Map<number, AmbiguousReading>()
  const begins = new Map<number, number>()
  for (const [index, reading] of night.entries()) {
    const carPark = carParks[reading.at] as number
    const before = last.get(carPark) ?? reading
    last.set(carPark, reading)
    if (before.earlier - reading.earlier < reading.shift / 2) continue
    // With the rest of the year between, the file holds the night twice.
    if (begins.has(carPark) || !areNeighbours(carParks, before.at, reading.at)) return undefined
    begins.set(carPark, index)
  }
  if (begins.size === 0) return undefined
  // A car park with readings in one pass alone follows the others.
  const [begin = 0] = [...begins.values()].sort((a, b) => a - b)
  return night.map(({ at }, index) => index >= (begins.get(carParks[at] as number) ?? begin))
}

/** Whether the file has no reading of the same car park between these two. */
function areNeighbours(carParks: Uint16Array, one: number, other: number): boolean {
  const [first, last] = one < other ? [one, other] : [other, one]
  return carParks.indexOf(carParks[first] as number, first + 1) === last
}

/** Undefined where there are too many readings to split. */
function splitByCounts(
  table: ReadingTable,
  carParks: number,
  night: readonly AmbiguousReading[],
): boolean[] | undefined {
  const most = MOST_MOMENTS * carParks
  if (night.length > most) return undefined
  const times = night.map(({ at, earlier }) => ({ at, time: earlier }))
  const [{ shift } = { shift: 0 }] = night
  const first = times.reduce((least, { time }) => Math.min(least, time), Infinity)
  const last = times.reduce((most, { time }) => Math.max(most, time), -Infinity)
  const before = placedBetween(table, first - AROUND_MS, first).slice(-most)
  const after = placedBetween(table, last + shift + 1, last + shift + AROUND_MS).slice(0, most)
  const isDoubled = [before, after].some(each => hasRepeats(table, each))
  const { moments, places } = momentsOf(table, carParks, times, isDoubled)
  if (moments.length > MOST_MOMENTS) return undefined
  const around = [before, after].map(each => momentsOf(table, carParks, each, true).moments)
  const second = splitPasses({
    moments,
    before: around[0]?.at(-1),
    after: around[1]?.[0],
    shift,
    rhythm: rhythmOf(around, carParks),
  })
  return places.map(place => second[place] ?? false)
}
