import { DAY_KINDS, type KindOfDay } from './day-kind.ts'
import type { Unsupported } from './forecast.ts'
import { ABSENT, type CountGrid, SLOTS_A_DAY } from './ring-buffer.ts'
import { FEWEST_TYPICAL_DAYS, MEMORY_DAYS } from './rules.ts'
import { quantile } from './verification.ts'

const QUARTERS = 96
const SLOTS_A_QUARTER = SLOTS_A_DAY / QUARTERS

/** How full a car park usually is, by kind of day and quarter of an hour by the local clock. */
export interface TypicalWeek {
  /** How many weeks back it looks at most. */
  readonly weeks: number
  /** The first and the last day that it rests on, days since 1970 by the local clock. */
  readonly firstDay: number
  readonly lastDay: number
  /** Sunday to Saturday without bank holidays, then bank holidays. */
  readonly days: readonly TypicalDay[]
}

export interface TypicalDay {
  readonly kind: (typeof DAY_KINDS)[number]
  /** On how many days it rests. */
  readonly days: number
  /** 96, from midnight on; null where fewer than three days have counts. */
  readonly quarters: readonly (TypicalQuarter | null)[]
}

/** Percentiles of the free spaces; each day counts once, by its mean within the quarter. */
export interface TypicalQuarter {
  readonly p10: number
  readonly p50: number
  readonly p90: number
  /** On how many days they rest. */
  readonly days: number
}

/** Sums the days held up to a typical week, or tells why there is none. */
export function typicalWeek(grid: CountGrid, kindOf: KindOfDay): TypicalWeek | Unsupported {
  const today = grid.day()
  const found: { day: number; kind: number }[] = []
  if (Number.isFinite(today))
    for (let day = today - MEMORY_DAYS + 1; day <= today; day++)
      if (hasCounts(grid, day)) found.push({ day, kind: kindOf(day) })
  const days = DAY_KINDS.map((kind, number) =>
    typicalDay(
      grid,
      kind,
      found.filter(day => day.kind === number).map(({ day }) => day),
    ),
  )
  const [first, last] = [found[0], found.at(-1)]
  if (first === undefined || last === undefined || !days.some(({ quarters }) => quarters.some(Boolean)))
    return {
      reason: 'TOO_LITTLE_PAST',
      detail: `A typical week needs counts of at least ${FEWEST_TYPICAL_DAYS} days of a kind within ${MEMORY_DAYS / 7} weeks.`,
    }
  return { weeks: MEMORY_DAYS / 7, firstDay: first.day, lastDay: last.day, days }
}

function hasCounts(grid: CountGrid, day: number): boolean {
  for (let quarter = 0; quarter < QUARTERS; quarter++)
    if (quarterMean(grid, day, quarter) !== undefined) return true
  return false
}

function typicalDay(grid: CountGrid, kind: TypicalDay['kind'], days: readonly number[]): TypicalDay {
  const quarters = Array.from({ length: QUARTERS }, (_, quarter) => {
    const means = days.map(day => quarterMean(grid, day, quarter)).filter(mean => mean !== undefined)
    if (means.length < FEWEST_TYPICAL_DAYS) return null
    const sorted = means.toSorted((a, b) => a - b)
    const [p10, p50, p90] = [0.1, 0.5, 0.9].map(share => Math.round(quantile(sorted, share))) as [
      number,
      number,
      number,
    ]
    return { p10, p50, p90, days: means.length }
  })
  return { kind, days: days.length, quarters }
}

function quarterMean(grid: CountGrid, day: number, quarter: number): number | undefined {
  let sum = 0
  let count = 0
  const first = day * SLOTS_A_DAY + quarter * SLOTS_A_QUARTER
  for (let slot = first; slot < first + SLOTS_A_QUARTER; slot++) {
    const spaces = grid.at(slot)
    if (spaces === ABSENT) continue
    sum += spaces
    count++
  }
  return count === 0 ? undefined : sum / count
}
