import { DAY_KINDS, type KindOfDay } from './day-frame.ts'
import type { TypicalQuarter, TypicalWeek, Unsupported } from './forecast.ts'
import { FEWEST_TYPICAL_DAYS, MEMORY_DAYS } from './parameters.ts'
import { ABSENT, type RingBuffer, SLOTS_A_DAY } from './ring-buffer.ts'
import { quantile } from './verification.ts'

const QUARTERS = 96
const QUARTER_MS = 900_000
const SLOTS_A_QUARTER = SLOTS_A_DAY / QUARTERS

/** Summarises the kept days as a typical week, or returns why there is none. */
export function typicalWeek(counts: RingBuffer, kindOf: KindOfDay): TypicalWeek | Unsupported {
  const today = counts.day()
  const found: { day: number; kind: number }[] = []
  if (Number.isFinite(today))
    for (let day = today - MEMORY_DAYS + 1; day <= today; day++)
      if (hasCounts(counts, day)) found.push({ day, kind: kindOf(day) })
  const days = DAY_KINDS.map((name, kind) => {
    const ofKind = found.filter(each => each.kind === kind).map(({ day }) => day)
    const quarters = Array.from({ length: QUARTERS }, (_, quarter) => typicalQuarter(counts, ofKind, quarter))
    return { day: name, days: ofKind.length, quarters }
  })
  const [first, last] = [found[0], found.at(-1)]
  const isEmpty = days.every(({ quarters }) => quarters.every(({ p50 }) => p50 === null))
  if (first === undefined || last === undefined || isEmpty)
    return {
      reason: 'TOO_LITTLE_PAST',
      detail: `A typical week needs counts of at least ${FEWEST_TYPICAL_DAYS} days of a kind within ${MEMORY_DAYS / 7} weeks.`,
    }
  return { firstDay: first.day, lastDay: last.day, days }
}

function hasCounts(counts: RingBuffer, day: number): boolean {
  for (let quarter = 0; quarter < QUARTERS; quarter++)
    if (quarterMean(counts, day, quarter) !== undefined) return true
  return false
}

function typicalQuarter(counts: RingBuffer, days: readonly number[], quarter: number): TypicalQuarter {
  const time = new Date(quarter * QUARTER_MS).toISOString().slice(11, 16)
  const means = days.map(day => quarterMean(counts, day, quarter)).filter(mean => mean !== undefined)
  if (means.length < FEWEST_TYPICAL_DAYS) return { time, p10: null, p50: null, p90: null, days: 0 }
  const sorted = means.toSorted((a, b) => a - b)
  const percentile = (share: number) => Math.round(quantile(sorted, share))
  return { time, p10: percentile(0.1), p50: percentile(0.5), p90: percentile(0.9), days: means.length }
}

function quarterMean(counts: RingBuffer, day: number, quarter: number): number | undefined {
  let sum = 0
  let count = 0
  const first = day * SLOTS_A_DAY + quarter * SLOTS_A_QUARTER
  for (let slot = first; slot < first + SLOTS_A_QUARTER; slot++) {
    const spaces = counts.at(slot)
    if (spaces === ABSENT) continue
    sum += spaces
    count++
  }
  return count === 0 ? undefined : sum / count
}
