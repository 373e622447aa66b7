import type { Batch } from '../query/batch.ts'
import type { Condition, Stretch } from '../query/condition.ts'
import { flushVisit, startVisit, visitSlice } from '../query/posting-list-rows.ts'
import { firstWhere } from './bits.ts'
import type { DayPart } from './table-data.ts'

/** Days since 1970-01-01, both ends inclusive; an end that is open is infinite. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** A column of days in which a range can be selected, for one question at a time. */
export interface DayColumn extends Condition {
  readonly part: DayPart
  /** The rows that have the days selected are [from, to) of `part.listed`. */
  readonly from: number
  readonly to: number
  /** Selects the days of a range, or keeps those of them that are selected already. */
  select(range: Range): void
  /** Selects nothing. */
  release(): void
}

/** Opens a column whose memory for selecting is its own, and used again and again. */
export function openDayColumn(part: DayPart): DayColumn {
  const { name, days, codes, starts } = part
  const marks = new Uint8Array(days.length + 1)
  let firstDay = 0
  let endDay = days.length

  const column = {
    name,
    part,
    codes,
    marks,
    rows: 0,
    from: 0,
    to: 0,
    select({ from, to }: Range): void {
      marks.fill(0, firstDay, endDay)
      firstDay = firstWhere(firstDay, endDay, day => (days[day] as number) >= from)
      endDay = firstWhere(firstDay, endDay, day => (days[day] as number) > to)
      marks.fill(1, firstDay, endDay)
      column.from = starts[firstDay] as number
      column.to = starts[endDay] as number
      column.rows = column.to - column.from
    },
    release(): void {
      marks.fill(0, firstDay, endDay)
      firstDay = 0
      endDay = days.length
    },
    visit(stretch: Stretch, others: readonly Condition[], take: (batch: Batch) => void): void {
      const visit = startVisit(part.listed, stretch, others, take)
      visitSlice(visit, column.from, column.to)
      flushVisit(visit)
    },
  }
  return column
}
