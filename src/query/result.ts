import type { StoredRecord, Value } from './query.ts'

/** What a query finds. */
export interface Result {
  /** How many records are selected, on all pages together; exact. */
  readonly total: number
  /**
   * The page's records, some at a time. The next batch is made when it is asked for, so whoever reads slowly holds up
   * nothing but itself. Read it under a lease on the snapshot that it comes from.
   */
  batches(): AsyncIterable<RowBatch>
  /**
   * The page's records as JSON texts in UTF-8, joined by commas, between `before` and `after`, in one Buffer: for pages
   * that fit in memory.
   */
  json(before?: string, after?: string): Buffer
}

/** Some records of a result, one after another; in whichever form is asked for. */
export interface RowBatch {
  readonly length: number
  records(): readonly StoredRecord[]
  /** The same as JSON texts in UTF-8, joined by commas. */
  json(): Buffer
}

/** The values of the fields counted by, in the order asked for, and how many records have them. */
export type Group = readonly [...values: Value[], count: number]
