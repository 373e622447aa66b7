import { buffer } from 'node:stream/consumers'
import type { TObject } from 'typebox'
import { batchesOf } from '../query/batches.ts'
import type { StoredRecord } from '../query/query.ts'
import type { RowBatch } from '../query/result.ts'
import type { Format } from '../values/format.ts'

/** A way to write records. Pure: it knows records and their schema, neither files nor HTTP. */
export interface RecordFormat extends Format {
  /** What a document of it holds, for OpenAPI. */
  readonly description: string
  /** The fields that it reads, whichever are shown. */
  readonly reads?: readonly string[]
  /** About the bytes that a long stream of it holds beside the batch on its way; absent where it holds none. */
  readonly heldBytes?: number
  /** Why records of this schema cannot be written; absent where all can. */
  readonly refusal?: (schema: TObject) => string | undefined
  /**
   * Writes a chunk for each step of its work, such as a batch, so that no dataset need be in memory as a whole. A step that
   * only reads gives an empty chunk: others get their turn between two steps.
   */
  write(batches: AsyncIterable<RowBatch>, schema: TObject): AsyncIterable<Buffer>
}

/** Writes records that fit in memory. */
export const writeRecords = (
  format: RecordFormat,
  records: readonly StoredRecord[],
  schema: TObject,
): Promise<Buffer> => buffer(format.write(batchesOf(records), schema))
