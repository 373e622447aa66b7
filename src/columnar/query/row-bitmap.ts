import type { TableLayout } from '../../query/layout.ts'
import { intersectBits, setBit } from '../indexes/bits.ts'
import { type DictionaryColumn, setSelected } from '../indexes/dictionary-column.ts'
import type { TableData } from '../indexes/table-data.ts'
import { openDigestSearch } from './digest-search.ts'

/** Rows that are selected by more than one column, or by one without an index: a bit per row, for one query at a time. */
export interface RowBitmap {
  /** Undefined as long as nothing is selected. */
  readonly bits: Int32Array | undefined
  /** Keeps the rows in which one of the columns contains the folded word; the columns must have no selection. */
  keepContaining(columns: readonly DictionaryColumn[], word: string): void
  /** Keeps the rows with a digest. */
  keepDigest(column: string, digest: string): void
  clear(): void
}

/** Opens a bitmap whose memory is allocated at first use. */
export function openRowBitmap(layout: TableLayout, data: TableData): RowBitmap {
  const rowsWith = openDigestSearch(layout, data)
  const words = Math.ceil(data.rows / 32)
  let memory: { readonly bits: Int32Array; readonly spare: Int32Array } | undefined

  const bitmap = {
    bits: undefined as Int32Array | undefined,
    keepContaining(columns: readonly DictionaryColumn[], word: string): void {
      keep(bits => {
        for (const column of columns) {
          column.select('containing', word)
          setSelected(column, bits, 0, words)
          column.release()
        }
      })
    },
    keepDigest(column: string, digest: string): void {
      keep(bits => {
        for (const row of rowsWith(column, digest)) setBit(bits, row)
      })
    },
    clear(): void {
      bitmap.bits?.fill(0)
      bitmap.bits = undefined
    },
  }
  return bitmap

  /** Keeps the rows whose bits are set by a function. */
  function keep(set: (bits: Int32Array) => void): void {
    memory ??= { bits: new Int32Array(words), spare: new Int32Array(words) }
    const { bits, spare } = memory
    if (bitmap.bits === undefined) {
      set(bits)
      bitmap.bits = bits
      return
    }
    set(spare)
    intersectBits(bits, spare, 0, words)
    spare.fill(0)
  }
}
