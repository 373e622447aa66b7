import type { StoredRecord, Value } from './query.ts'

/** The result of a query. */
export interface Result {
  /** The exact number of selected records on all pages. */
  readonly total: number
  /**
   * The page's records in batches, each created when the reader requests it, so a slow reader delays only itself. Read it
   * under a lease on its snapshot.
   */
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
  /** The same as JSON texts in UTF-8, joined by commas. */
  json(): Buffer
}

/** The groups of a count. They may be a hundred thousand, so they become values when they are read. */
export interface Groups {
  readonly length: number
  /** The memory that they take, estimated where they are values already. */
  readonly bytes: number
  slice(from?: number, to?: number): Group[]
  /** The sum of the counts, or of those from an index on. */
  sum(from?: number): number
}

/** The values of the keys counted by, in the requested order, and the number of records that have them. */
export type Group = readonly [...values: Value[], count: number]

export const countOf = (group: Group): number => Number(group.at(-1))
