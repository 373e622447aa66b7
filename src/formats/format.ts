import type { TObject } from 'typebox'
import type { StoredRecord } from '../query/query.ts'

/** Records in served order, from a release or from memory. */
export type Records = AsyncIterable<StoredRecord> | Iterable<StoredRecord>

/** A way to write a dataset as text. Pure: it knows records and their schema, neither files nor HTTP. */
export interface Format {
  readonly mediaType: string
  /** Why records of this schema cannot be written so; undefined: they can. */
  refusal(schema: TObject): string | undefined
  /** Gives the text in chunks of about 64 KiB, so that no dataset need lie in memory as text. */
  write(records: Records, schema: TObject): AsyncIterable<string>
}

/** For formats that take any record. */
export const takesAll = () => undefined
