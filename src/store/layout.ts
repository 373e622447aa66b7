/**
 * How a release stores the records of a dataset. `documents` holds each record whole, for lists that are served whole;
 * `table` has one column a field, for datasets that are filtered, paged and counted.
 */
export type Layout = { readonly kind: 'documents' } | TableLayout

/** A dataset of many flat records. Columns have the names of the record's fields, in the record's order. */
export interface TableLayout {
  readonly kind: 'table'
  readonly columns: readonly Column[]
  /** Rows are served newest first by this `day` column; rows without the day last; ties in the order of the source. */
  readonly newestFirstBy: string
}

/**
 * `word`: a dictionary-encoded string, searched as `fold` says. `day`: a calendar date, in records
 * an ISO timestamp at midnight UTC or null, in the store days since 1970-01-01. `number`: a finite number or null.
 * `digest`: SHA-256 as 64 lower-case hexadecimal digits in records, 32 bytes in the store.
 */
export interface Column {
  readonly name: string
  readonly type: 'word' | 'day' | 'number' | 'digest'
}
