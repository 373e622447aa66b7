import { dayTimestamp } from '../../values/day-number.ts'
import type { LocalClock } from '../local-clock.ts'
import { DAY_KINDS, kindOfDay } from './day-frame.ts'
import type { TypicalQuarter, TypicalWeek } from './forecast.ts'
import { FEWEST_TYPICAL_DAYS, MEMORY_DAYS } from './parameters.ts'
import { ABSENT, type RingBuffer, SLOTS_A_DAY } from './ring-buffer.ts'
import { quantile } from './verification.ts'

const QUARTERS = 96
const QUARTER_MS = 900_000
const SLOTS_A_QUARTER = SLOTS_A_DAY / QUARTERS

/** Summarises the kept days as a typical week, or returns the reason why it cannot. */
export function typicalWeek(counts: RingBuffer, clock: LocalClock): TypicalWeek {
  const today = counts.day()
  const kept = Number.isFinite(today) ? MEMORY_DAYS : 0
  const found = Array.from({ length: kept }, (_, place) => today - MEMORY_DAYS + 1 + place)
    .map(day => ({ day, kind: kindOfDay(day, clock), means: quarterMeans(counts, day) }))
    .filter(({ means }) => means.some(mean => mean !== undefined))
  const results = DAY_KINDS.map((day, kind) => {
    const ofKind = found.filter(each => each.kind === kind)
    const quarters = Array.from({ length: QUARTERS }, (_, quarter) =>
      typicalQuarter(
        quarter,
        ofKind.flatMap(({ means }) => means[quarter] ?? []),
      ),
    )
    return { day, days: ofKind.length, quarters }
  })
  if (results.every(({ quarters }) => quarters.every(({ p50 }) => p50 === null)))
    return {
      from: null,
      to: null,
      results: [],
      reason: 'TOO_LITTLE_PAST',
      detail: `A typical week needs counts of at least ${FEWEST_TYPICAL_DAYS} days of a kind within ${MEMORY_DAYS / 7} weeks.`,
    }
  return { from: dateOf(found[0]), to: dateOf(found.at(-1)), results, reason: null, detail: null }
}

const dateOf = (found: { day: number } | undefined) =>
  found === undefined ? null : dayTimestamp(found.day).slice(0, 10)

/** A quarter of the day by its means on the days of a kind. */
function typicalQuarter(quarter: number, means: readonly number[]): TypicalQuarter {
  const time = new Date(quarter * QUARTER_MS).toISOString().slice(11, 16)
  if (means.length < FEWEST_TYPICAL_DAYS) return { time, p10: null, p50: null, p90: null, days: 0 }
  const sorted = means.toSorted((a, b) => a - b)
  const percentile = (share: number) => Math.round(quantile(sorted, share))
  return { time, p10: percentile(0.1), p50: percentile(0.5), p90: percentile(0.9), days: means.length }
}

/** The mean count of each quarter of a day; undefined without counts. */
const quarterMeans = (counts: RingBuffer, day: number) =>
  Array.from({ length: QUARTERS }, (_, quarter) => {
    const first = day * SLOTS_A_DAY + quarter * SLOTS_A_QUARTER
    const found = Array.from({ length: SLOTS_A_QUARTER }, (_, slot) => counts.at(first + slot)).filter(
      spaces => spaces !== ABSENT,
    )
    return found.length === 0 ? undefined : found.reduce((sum, spaces) => sum + spaces) / found.length
  })
