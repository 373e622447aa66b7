import type { Batch } from '../query/batch.ts'
import { type Condition, type RowRange, scanRows } from '../query/condition.ts'
import { flushVisit, startVisit, visitSlice } from '../query/value-rows.ts'
import { firstWhere } from './bits.ts'
import type { OrderedData } from './table-data.ts'

/** Both ends are inclusive; an open end is infinite. */
export interface ValueRange {
  readonly from: number
  readonly to: number
}

/** A column of dates or numbers in which a range can be selected, for one query at a time. */
export interface OrderedColumn extends Condition {
  readonly data: OrderedData
  /** The rows of the selected values are at [from, to) of the posting list. */
  readonly from: number
  readonly to: number
  /** Selects the values of a range, or keeps those of them that are selected already. */
  select(range: ValueRange): void
  /** Ends the selection. */
  release(): void
}

/** Opens a column with a selection mask of its own, which all queries share. */
export function openOrderedColumn(data: OrderedData): OrderedColumn {
  const { name, values, codes, starts, index } = data
  const mask = new Uint8Array(values.length + 1)
  let first = 0
  let end = values.length

  const column = {
    name,
    data,
    codes,
    mask,
    rows: 0,
    from: 0,
    to: 0,
    select({ from, to }: ValueRange): void {
      mask.fill(0, first, end)
      first = firstWhere(first, end, code => (values[code] as number) >= from)
      end = firstWhere(first, end, code => (values[code] as number) > to)
      mask.fill(1, first, end)
      column.from = starts[first] as number
      column.to = starts[end] as number
      column.rows = column.to - column.from
    },
    release(): void {
      mask.fill(0, first, end)
      first = 0
      end = values.length
    },
    visit(range: RowRange, others: readonly Condition[], take: (batch: Batch) => void): void {
      if (index === undefined) {
        scanRows(range, [column, ...others], take)
        return
      }
      const visit = startVisit(index.list, range, others, take)
      visitSlice(visit, column.from, column.to)
      flushVisit(visit)
    },
  }
  return column
}
