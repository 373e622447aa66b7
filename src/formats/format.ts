import type { TObject } from 'typebox'
import type { RowBatch } from '../query/result.ts'

/** A way to write records. Pure: it knows records and their schema, neither files nor HTTP. */
export interface Format {
  /** Its name on the command line, and as the suffix of a path. */
  readonly name: string
  readonly mediaType: string
  /** Why records of this schema cannot be written; absent where all can. */
  readonly refusal?: (schema: TObject) => string | undefined
  /** Writes a chunk for each batch, so that no dataset need be in memory as a whole. */
  write(batches: AsyncIterable<RowBatch>, schema: TObject): AsyncIterable<Buffer>
}
