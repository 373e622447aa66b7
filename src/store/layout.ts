import type { MaybePromise } from '../values/maybe-promise.ts'

/**
 * How the records of a dataset lie in a release. `documents` holds each record whole, for lists that are served
 * whole; `table` holds one column a field, for datasets that are filtered, paged and counted.
 */
export type Layout = { readonly kind: 'documents' } | TableLayout

/** A dataset of many flat records. Columns are named for the record's fields, in the record's order. */
export interface TableLayout {
  readonly kind: 'table'
  readonly columns: readonly Column[]
  /** Served newest first by this `day` column; rows without the day last; then in the order of the source. */
  readonly newestFirstBy: string
}

/**
 * `word`: text with few distinct values, held once each and searched without regard to case and accents.
 * `day`: a calendar date, in records an ISO timestamp at midnight UTC or null, in the store days since 1970-01-01.
 * `number`: a finite number or null. `digest`: SHA-256 as 64 lower-case hexadecimal digits in records, 32 bytes in the store.
 */
export interface Column {
  readonly name: string
  readonly type: 'word' | 'day' | 'number' | 'digest'
}

/** A record as the store takes it in and gives it out: plain JSON values in the shape of the contract. */
export type StoredRecord = Readonly<Record<string, unknown>>

/** One condition on a table; conditions in a list are joined by "and". */
export type Filter =
  /** The folded value contains the folded text ("é" matches "E"); every character of the text is plain. */
  | { readonly column: string; readonly contains: string }
  /** The folded whole value equals the folded text. */
  | { readonly column: string; readonly equals: string }
  /** The day lies in the range, both ends inclusive, as `YYYY-MM-DD`; rows without the day never do. */
  | { readonly column: string; readonly from?: string; readonly to?: string }

/** Answers questions about one release of a `table` dataset; every answer is exact. */
export interface Table {
  /** `limit` of the records that meet every filter, in served order, after leaving out the first `offset`. */
  page(filters: readonly Filter[], offset: number, limit: number): MaybePromise<Page>
  /** The distinct values of a `word` column with their counts, highest count first, ties by code-unit order of the name. */
  countBy(column: string, filters: readonly Filter[]): MaybePromise<[value: string, count: number][]>
}

/** Part of what a question to a table finds. */
export interface Page {
  /** How many records are found on all pages together. */
  readonly total: number
  /**
   * This page's records as JSON texts in UTF-8, joined by commas: what stands between an array's brackets. `before` and
   * `after` are written round them, so that an answer need not be copied to be framed.
   */
  json(before?: string, after?: string): Buffer
}
