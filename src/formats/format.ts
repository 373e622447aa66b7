import { buffer } from 'node:stream/consumers'
import type { TObject } from 'typebox'
import { batchesOf, type RowBatch, type StoredRecord } from '../query/query.ts'
import type { Format } from '../values/format.ts'

/** A way to write records. Pure: it knows records and their schema, but no files and no HTTP. */
export interface RecordFormat extends Format {
  /** The content of a document, for OpenAPI. */
  readonly description: string
  /** Fields that the format reads even if they are not shown. */
  readonly reads?: readonly string[]
  /** The approximate bytes that a long stream holds in addition to the current batch; absent for no bytes. */
  readonly heldBytes?: number
  /** Why records of a schema cannot be written. Absent if the format can write all records. */
  readonly refusal?: (schema: TObject) => string | undefined
  /**
   * Writes a chunk for each step, such as a batch, so that a dataset is never in memory as a whole. A step that only reads
   * gives an empty chunk. Other requests get their turn between two steps.
   */
  write(batches: AsyncIterable<RowBatch>, schema: TObject): AsyncIterable<Buffer>
}

/** Writes records that fit in memory. */
export const writeRecords = (
  format: RecordFormat,
  records: readonly StoredRecord[],
  schema: TObject,
): Promise<Buffer> => buffer(format.write(batchesOf(records), schema))
