import type { StoredRecord, Value } from './query.ts'

/** The result of a query. */
export interface Result {
  /** The exact number of selected records on all pages. */
  readonly total: number
  /** The page's records in batches. Each is created when the reader requests it, so a slow reader delays only itself. */
  batches(): AsyncIterable<RowBatch>
  /**
   * The page's records as JSON texts in UTF-8, joined by commas, between `before` and `after`, in one Buffer: for pages
   * that fit in memory.
   */
  json(before?: string, after?: string): Buffer
}

/** Consecutive records of a result, as objects or as JSON. */
export interface RowBatch {
  readonly length: number
  records(): readonly StoredRecord[]
  /** The same records as JSON texts in UTF-8, joined by commas. */
  json(): Buffer
}

/** The groups of a count. There may be a hundred thousand, so groups become values only when they are read. */
export interface Groups {
  readonly length: number
  /** The memory of the groups; an estimate if they are already values. */
  readonly bytes: number
  slice(from?: number, to?: number): Group[]
  /** The sum of all counts, or of the counts from an index on. */
  sum(from?: number): number
}

/** The values of the keys counted by, in the requested order, and the number of records that have them. */
export type Group = readonly [...values: Value[], count: number]

export const countOf = (group: Group): number => Number(group.at(-1))
