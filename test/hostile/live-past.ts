import type { HistoricReading } from '../../src/store/store.ts'
import { OBSERVATION } from '../support/island.ts'

/* A made-up past of live counts: short stretches where clocks and calendars do something, and awkward names. */

/** What time it is for the questions: a little after the observation. */
export const NOW = Date.parse(OBSERVATION.timestamp) + 42_700

/** The instants round which something was counted. */
export const ANCHORS = [
  '2020-02-28T22:00:00Z',
  '2022-10-30T00:00:00Z',
  '2022-12-31T22:00:00Z',
  '2023-03-26T00:00:00Z',
  '2023-08-27T10:00:00Z',
  '2023-08-28T20:00:00Z',
].map(time => Date.parse(time))

const [LEAP_DAY = 0, AUTUMN = 0, NEW_YEAR = 0, SPRING = 0, LATELY = 0, NOW_ON = 0] = ANCHORS

const STRETCHES = [
  { code: 'HARBST', name: 'Harbour Street', from: LEAP_DAY, readings: 40 },
  { code: 'test', name: 'Test', from: LEAP_DAY, readings: 9 },
  { code: 'HARBST', name: 'Harbour Street', from: AUTUMN, readings: 30 },
  { code: '+OLD', name: 'Old "Town", upper deck', from: AUTUMN, readings: 20 },
  { code: 'HARBST', name: 'Harbour Street', from: NEW_YEAR, readings: 40 },
  { code: 'HARBST', name: 'Harbour St', from: SPRING, readings: 30 },
  { code: 'Test', name: 'TEST', from: LATELY, readings: 8 },
  { code: 'HARBST', name: 'Harbour St', from: NOW_ON, readings: 56 },
]
const STATUSES = ['good', null, 'fair, "so to speak"', '=1+1', '@home']
const STEP_MS = 7 * 60_000

/** All that is stored besides the observation, in no order of time. */
export const HISTORY: readonly HistoricReading[] = STRETCHES.flatMap(({ code, name, from, readings }) =>
  Array.from({ length: readings }, (_, step) => ({
    ...{ code, name, at: from + step * STEP_MS, spaces: 290 + ((step * 13) % 40) },
    ...{ open: step % 4 === 1 ? null : true, status: STATUSES[step % STATUSES.length] ?? null },
  })),
)

/** The same with the observation, oldest first. */
export const READINGS: readonly HistoricReading[] = [
  ...HISTORY,
  ...OBSERVATION.entries.map(entry => ({ ...entry, at: Date.parse(OBSERVATION.timestamp) })),
].sort((a, b) => a.at - b.at)

/** Every code that is or was counted, as it was written last, by its letters. */
export const COUNTED = [
  { code: '+OLD', name: 'Old "Town", upper deck' },
  { code: 'ELSEWH', name: 'Elsewhere' },
  { code: 'HARBST', name: 'Harbour St' },
  { code: 'Test', name: 'TEST' },
]
