import type { TableLayout } from '../../layout.ts'
import type { Dictionary } from '../cells.ts'

/*
 * What a release of a table holds beside its rows and its words, so that answers need not look at every row. All of it
 * follows from the rows; a release without any of it gives the same answers, but later.
 */

/** The days of a day column that there are, each with the number of rows up to and including it: `day`, `upto`. */
export const daysOf = (column: string): string => `days_${column}`

/** How often words are together: a column for each word column that has few words, {@link COUNT_COLUMN}. */
export const COMBINED = 'combined'

/** The same with those of many words as well, and with {@link pieceOf} that with most: what shares a part lies together. */
export const COMBINED_ALL = 'combined_all'

/**
 * How often words are together in the rows of each span of days, {@link SPAN}, which is null for those without the day:
 * of one column with few words, or of all of them.
 */
export const spansOf = (day: string, word?: string): string =>
  word === undefined ? `spans_${day}` : `spans_${day}_${word}`

/** Engines cut longer names: what would need one is not made. */
export const isTooLong = (table: string): boolean => table.length > 46

/** How often, in which span, and in which piece a word is; no column of a layout has such names. */
export const COUNT_COLUMN = '/count'
export const SPAN = '/span'
export const pieceOf = (word: string): string => `${word}/piece`

/** The distinct words of a column, many to a text, in which parts are found quicker: `id`, `text`. */
export const piecesOf = (column: string): string => `parts_${column}`

/** A span is so many days, as a power of two: a month, more or less. */
const SPAN_BITS = 5

/** The span of the column's day, in SQL; and its first day. */
export const spanOf = (day: string): string => `(${day} >> ${SPAN_BITS})`
export const firstDayOf = (span: number): number => span << SPAN_BITS
/** The first span that begins on the day or later. */
export const spanFrom = (day: number): number => (day + (1 << SPAN_BITS) - 1) >> SPAN_BITS
/** The last that ends on the day or before. */
export const spanUntil = (day: number): number => ((day + 1) >> SPAN_BITS) - 1

/** Makes and colours are few; models, as clerks type them, are many. */
const LOW_CARDINALITY = 4096
/** Counting beforehand is only worth it where rows are so many times as many. */
export const ROWS_A_COUNT = 8
/** Fewer rows are counted in no time. */
const LEAST_ROWS = 150

/** What a release of a table is given. */
export interface RollupPlan {
  readonly rows: number
  readonly days: readonly string[]
  /** Word columns with few words. */
  readonly lowCardinality: readonly string[]
  /** Those with many, most first. */
  readonly highCardinality: readonly string[]
  /** Whether words of columns with few are counted, by spans of days and together. */
  readonly counted: boolean
  /** Whether those of all columns are counted together. */
  readonly combinedAll: boolean
}

/** Says what a release of so many rows, with these words, is given. */
export function planRollups(
  { columns }: TableLayout,
  dictionaries: ReadonlyMap<string, Dictionary>,
  rows: number,
): RollupPlan {
  const days = columns.filter(({ type }) => type === 'day').map(({ name }) => name)
  const bySize = [...dictionaries].sort(([, one], [, other]) => other.size - one.size)
  const ofSize = (isMany: boolean) =>
    bySize.filter(([, { size }]) => size > LOW_CARDINALITY === isMany).map(([name]) => name)
  const [few, many] = [ofSize(false), ofSize(true)]
  const isWorthIt = rows >= LEAST_ROWS && few.length > 1
  const most = bySize[0]?.[1].size ?? 0
  return {
    ...{ rows, days, lowCardinality: few, highCardinality: many },
    counted: isWorthIt,
    combinedAll: many.length > 0 && bySize.length > 1 && rows >= most * ROWS_A_COUNT,
  }
}
