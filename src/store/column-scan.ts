import type { MaybePromise } from '../values/promises.ts'
import { fold } from '../values/text.ts'
import { unescapeText } from './encoding/escape-text.ts'

/** The column scan of a whole table, from which the columnar table is built. */
export interface ColumnScan {
  /** The distinct values of a dictionary-encoded column. */
  words(column: string): Promise<Words>
  /** All rows in served order, in batches. */
  rows(): AsyncIterable<RowBatch>
}

/** The values of a dictionary; each has the same index in all three lists. */
export interface Words {
  /** The codes that rows hold: whole numbers from 0, almost without gaps. */
  readonly codes: readonly number[]
  readonly values: readonly string[]
  /** The folded values. */
  readonly folded: readonly string[]
}

/** A batch of consecutive rows, by columns in the layout's order. */
export interface RowBatch {
  readonly rows: number
  readonly columns: readonly CellBatch[]
}

/** A column of a batch: dictionary codes, days since 1970-01-01, or numbers; for digests, 32 bytes each in turn. */
export type CellBatch = readonly (number | null)[] | Uint8Array

/** Rows and values in one batch, which bounds memory. */
export const SCAN_BATCH = 4096

/** What reads a batch of a table; an empty one ends it. */
export interface ScanReaders {
  /** Dictionary entries after a code, as they are stored. */
  words(column: string, after: number): MaybePromise<Omit<Words, 'folded'>>
  /** Rows after a position. */
  rows(after: number): MaybePromise<RowBatch>
}

/** Scans a table in batches, to be read as few texts or arrays: drivers take many times as long for each cell. */
export function scanInBatches(read: ScanReaders): ColumnScan {
  return {
    async words(column) {
      const all = { codes: [] as number[], values: [] as string[], folded: [] as string[] }
      for (;;) {
        const { codes, values } = await read.words(column, all.codes.at(-1) ?? -1)
        if (codes.length === 0) return all
        all.codes.push(...codes)
        for (const stored of values) {
          const value = unescapeText(stored)
          all.values.push(value)
          // Not as stored: an earlier version may have folded it in another way.
          all.folded.push(fold(value))
        }
      }
    },
    async *rows() {
      for (let after = 0; ; after += SCAN_BATCH) {
        const batch = await read.rows(after)
        if (batch.rows === 0) return
        yield batch
      }
    },
  }
}
