import type { TableLayout } from '../../layout.ts'
import type { Dictionary } from '../cells.ts'

/*
 * The tables that a release of a table has besides rows and dictionaries, so that queries need not scan every row. All
 * are derived from the rows; a release without them gives the same results, more slowly.
 */

/** The distinct days of a day column, each with the number of rows up to and including it: `day`, `upto`. */
export const daysOf = (column: string): string => `days_${column}`

/** Co-occurrence counts of the low-cardinality columns: one column for each, and {@link COUNT_COLUMN}. */
export const COMBINED = 'combined'

/** Co-occurrence counts of all columns, clustered by the {@link blockOf} of the one with the highest cardinality. */
export const COMBINED_ALL = 'combined_all'

/**
 * Co-occurrence counts by span of days, {@link SPAN}, which is null for rows without the day: of one low-cardinality
 * column, or of all of them.
 */
export const spansOf = (day: string, word?: string): string =>
  word === undefined ? `spans_${day}` : `spans_${day}_${word}`

/** Engines truncate longer names, so a table that would need one is not created. */
export const isTooLong = (table: string): boolean => table.length > 46

/** The columns for the count, the span and the dictionary block of an entry; no column of a layout has such names. */
export const COUNT_COLUMN = '/count'
export const SPAN = '/span'
export const blockOf = (word: string): string => `${word}/piece`

/** The dictionary of a column in blocks of text, in which substrings are searched first: `id`, `text`. */
export const blocksOf = (column: string): string => `parts_${column}`

/** The length of a span in days, as a power of two: about a month. */
const SPAN_BITS = 5

/** The span of the column's day, in SQL; and the first day of a span. */
export const spanOf = (day: string): string => `(${day} >> ${SPAN_BITS})`
export const firstDayOf = (span: number): number => span << SPAN_BITS
/** The first span that begins on the day or later. */
export const spanFrom = (day: number): number => (day + (1 << SPAN_BITS) - 1) >> SPAN_BITS
/** The last span that ends on the day or before. */
export const spanUntil = (day: number): number => ((day + 1) >> SPAN_BITS) - 1

/** Makes and colours stay below this; models, which are typed by hand, exceed it. */
const LOW_CARDINALITY = 4096
/** Rollups pay off only where rows outnumber their entries by this factor. */
export const ROWS_A_COUNT = 8
/** Fewer rows are counted quickly without rollups. */
const LEAST_ROWS = 20_000

/** The rollups that a release of a table gets. */
export interface RollupPlan {
  readonly rows: number
  readonly days: readonly string[]
  /** The dictionary-encoded columns of low cardinality. */
  readonly lowCardinality: readonly string[]
  /** Those of high cardinality, highest first. */
  readonly highCardinality: readonly string[]
  /** Whether low-cardinality columns get co-occurrence counts, in all and by spans of days. */
  readonly counted: boolean
  /** Whether all columns together get co-occurrence counts. */
  readonly combinedAll: boolean
}

/** Decides the rollups of a release with this number of rows and these dictionaries. */
export function planRollups(
  { columns }: TableLayout,
  dictionaries: ReadonlyMap<string, Dictionary>,
  rows: number,
): RollupPlan {
  if (rows < LEAST_ROWS)
    return {
      ...{ rows, days: [], lowCardinality: [...dictionaries.keys()], highCardinality: [] },
      ...{ counted: false, combinedAll: false },
    }
  const days = columns.filter(({ type }) => type === 'day').map(({ name }) => name)
  const bySize = [...dictionaries].sort(([, one], [, other]) => other.size - one.size)
  const ofSize = (isMany: boolean) =>
    bySize.filter(([, { size }]) => size > LOW_CARDINALITY === isMany).map(([name]) => name)
  const [few, many] = [ofSize(false), ofSize(true)]
  const most = bySize[0]?.[1].size ?? 0
  return {
    ...{ rows, days, lowCardinality: few, highCardinality: many },
    counted: few.length > 1,
    combinedAll: many.length > 0 && bySize.length > 1 && rows >= most * ROWS_A_COUNT,
  }
}
