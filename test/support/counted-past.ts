import { Temporal } from 'temporal-polyfill'
import { localClock } from '../../src/parking/local-clock.ts'
import type { HistoricReading, Observation, Reading } from '../../src/store/store.ts'
import { STEP_MS, workingCarPark } from './made-up-counts.ts'

/** The clock of the island. */
export const JERSEY = localClock('Europe/Jersey')

/** The car park of the small island that is counted. */
export const HARBOUR = { code: 'HARBST', name: 'Harbour St' }

/** The instant of a time by the island's clocks. */
export const inJersey = (time: string): number =>
  Temporal.PlainDateTime.from(time).toZonedDateTime(JERSEY.timeZone).epochMilliseconds

/** Readings as history keeps those of a car park. */
export const pastOf = (
  readings: Iterable<Reading>,
  carpark: { code: string; name: string } = HARBOUR,
): HistoricReading[] => [...readings].map(one => ({ ...one, ...carpark }))

/** The same count now and then, from one instant until before another. */
export function steady(
  from: number,
  to: number,
  stepMs: number,
  spaces: (step: number) => number,
): Reading[] {
  const steps = Math.ceil((to - from) / stepMs)
  return Array.from({ length: steps }, (_, step) => ({
    ...{ at: from + step * stepMs, spaces: spaces(step), open: null, status: null },
  }))
}

/**
 * The past of a working car park: so many days, of which some are quiet, until a day's time by the island's clocks.
 * Each day begins half empty.
 */
export function daysBefore(end: string, days: number, quiet: readonly string[] = []): HistoricReading[] {
  const until = inJersey(end)
  const lastDay = Temporal.PlainDateTime.from(end).toPlainDate()
  return Array.from({ length: days + 1 }, (_, place) => {
    const day = lastDay.subtract({ days: days - place })
    const [from, to] = [day, day.add({ days: 1 })].map(date => inJersey(date.toString()))
    const habit = quiet.includes(day.toString()) ? { tendsTo: () => 300 } : {}
    const readings = workingCarPark(from ?? 0, Math.min(to ?? 0, until), {
      ...{ clock: JERSEY, seed: place + 1 },
      ...habit,
    })
    return pastOf(readings)
  }).flat()
}

/** What the feed tells at a time of car parks that are open and fine unless it says otherwise. */
export function told(
  at: number,
  ...counts: readonly (Partial<Observation['entries'][number]> & { spaces: number })[]
): Observation {
  const entries = counts.map(count => ({ ...HARBOUR, status: 'good', open: true, ...count }))
  return { timestamp: new Date(at).toISOString(), entries }
}

/** The feed's next times after an instant. */
export const nextTimes = (after: number, count: number): number[] =>
  Array.from({ length: count }, (_, step) => after + (step + 1) * STEP_MS)
