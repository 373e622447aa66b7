import assert from 'node:assert/strict'
import type { LocalClock } from '../../src/parking/local-clock.ts'
import type { Assessment, Quality } from '../../src/parking/quality/quality.ts'
import { createQualityCheck, type QualityCheck } from '../../src/parking/quality/quality-check.ts'
import type { Reading } from '../../src/store/store.ts'

/** Five minutes, the feed's rhythm. */
export const STEP_MS = 300_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** A reading of an open car park. */
export const reading = (at: number, spaces: number): Reading => ({ at, spaces, open: true, status: null })

/** A clock that shows UTC. */
export const UTC_CLOCK: LocalClock = {
  timeZone: 'UTC',
  wallTime: instant => instant,
  isBankHoliday: () => false,
}

/** Numbers from 0 to below 1 that look drawn and are the same every time. */
export function drawn(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x80000000
  }
}

interface Habit {
  readonly clock?: LocalClock
  readonly seed?: number
  /** The chance that the count moves in a step, by the clock's weekday (0 is Sunday) and hour. */
  readonly moves?: (weekday: number, hour: number) => number
  /** Where the count tends to by the clock. */
  readonly tendsTo?: (weekday: number, hour: number) => number
}

const movesByDay = (_: number, hour: number) => (hour >= 7 && hour < 21 ? 0.85 : 0.1)
const fillsByDay = (_: number, hour: number) => (hour >= 9 && hour < 15 ? 80 : 300)

/** The readings of a working car park of 400 spaces from one instant until before another. */
export function* workingCarPark(from: number, to: number, habit: Habit = {}): Generator<Reading> {
  const { clock = UTC_CLOCK, seed = 1, moves = movesByDay, tendsTo = fillsByDay } = habit
  const random = drawn(seed)
  let spaces = tendsTo(1, 0)
  for (let at = from; at < to; at += STEP_MS) {
    const wall = new Date(clock.wallTime(at))
    const [weekday, hour] = [wall.getUTCDay(), wall.getUTCHours()]
    if (random() < moves(weekday, hour)) {
      const target = tendsTo(weekday, hour)
      const towards = Math.sign(target - spaces) * Math.min(20, Math.abs(target - spaces))
      const change = Math.round(towards * random() + (random() - 0.5) * 6) || 1
      spaces = Math.min(400, Math.max(0, spaces + change))
    }
    yield reading(at, spaces)
  }
}

/** A Monday, before which a judge that is experienced has watched for four weeks. */
export const MONDAY = Date.UTC(2025, 2, 31)

/** What a judge says of each reading. */
export const feed = (judge: QualityCheck, readings: Iterable<Reading>): Assessment[] =>
  [...readings].map(one => judge.observe(one))

/** A judge that has watched a working car park for four weeks, what it said, and the last count. */
export function experienced(
  { capacity, clock }: { capacity?: () => number | null; clock?: LocalClock } = {},
  habit: Habit = {},
) {
  const judge = createQualityCheck(clock ?? habit.clock ?? UTC_CLOCK, capacity)
  const past = [...workingCarPark(MONDAY - 28 * DAY_MS, MONDAY, habit)]
  return { judge, past: feed(judge, past), last: past.at(-1)?.spaces ?? Number.NaN }
}

/** An experienced judge on Monday at an hour, all having been good, with the last reading. */
export function mondayUntil(hour: number) {
  const { judge } = experienced()
  const morning = [...workingCarPark(MONDAY, MONDAY + hour * HOUR_MS, { seed: 2 })]
  every(feed(judge, morning), 'good')
  const { at, spaces } = morning.at(-1) as Reading
  return { judge, at, spaces }
}

/** Counts one step apart from an instant on. */
export const counts = (from: number, spaces: readonly number[]): Reading[] =>
  spaces.map((count, i) => reading(from + i * STEP_MS, count))

/** The same count from one instant until before another. */
export const standing = (from: number, to: number, spaces: number): Reading[] =>
  counts(from, Array<number>(Math.round((to - from) / STEP_MS)).fill(spaces))

export const qualities = (verdicts: readonly Assessment[]): Quality[] =>
  verdicts.map(({ quality }) => quality)

/** Fails with the verdicts of another quality. */
export const every = (verdicts: readonly Assessment[], quality: Quality): void =>
  assert.deepEqual(
    verdicts.filter(one => one.quality !== quality),
    [],
  )
