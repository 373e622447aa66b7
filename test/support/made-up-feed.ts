import type { LocalClock } from '../../src/parking/local-clock.ts'
import type { HistoricReading, LiveEntry, Observation } from '../../src/store/store.ts'
import { STEP_MS, UTC_CLOCK, workingCarPark } from './made-up-counts.ts'

/** An entry of the feed; what is not given is that of an open car park. */
export const liveEntry = (code: string, spaces: number, more: Partial<LiveEntry> = {}): LiveEntry => ({
  ...{ name: `Car park ${code}`, code, spaces, status: 'good', open: true },
  ...more,
})

/** What the feed told at a time. */
export const observed = (at: number, entries: readonly LiveEntry[]): Observation => ({
  timestamp: new Date(at).toISOString(),
  entries,
})

/** When an observation was made, milliseconds since 1970 UTC. */
export const timeOf = ({ timestamp }: Observation): number => Date.parse(timestamp)

/** What a feed of working car parks tells every five minutes from one instant until before another. */
export function madeUpFeed(
  from: number,
  to: number,
  { codes = ['A', 'B', 'C'], clock = UTC_CLOCK }: { codes?: readonly string[]; clock?: LocalClock } = {},
): Observation[] {
  const counts = codes.map((_, seed) => [...workingCarPark(from, to, { clock, seed: seed + 1 })])
  return Array.from({ length: Math.ceil((to - from) / STEP_MS) }, (_, step) =>
    observed(
      from + step * STEP_MS,
      codes.map((code, place) => liveEntry(code, counts[place]?.[step]?.spaces ?? 0)),
    ),
  )
}

/** The readings that the store keeps of observations. */
export const readingsOf = (observations: readonly Observation[]): HistoricReading[] =>
  observations.flatMap(observation =>
    observation.entries.map(entry => ({ at: timeOf(observation), ...entry })),
  )

/** Observations as a history file has them, one row for each reading. */
export const historyCsv = (observations: readonly Observation[]): string =>
  `Timestamp,Carpark Code,Available Spaces,Carpark Open\n${observations
    .flatMap(({ timestamp, entries }) =>
      entries.map(({ code, spaces, open }) => `${timestamp},${code},${spaces},${open}\n`),
    )
    .join('')}`
