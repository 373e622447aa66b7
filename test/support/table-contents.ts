import type { Cell } from '../../src/store/cells.ts'
import { cellWriter } from '../../src/store/cells.ts'
import type { TableContents, Word } from '../../src/store/contents.ts'
import { fold } from '../../src/store/fold.ts'
import type { StoredRecord, TableLayout } from '../../src/store/layout.ts'

/** Gives records, which are in served order, as an engine would, but straight from memory. */
export function contentsOf(layout: TableLayout, records: readonly StoredRecord[]): TableContents {
  const words = new Map<string, Map<string, number>>()
  const writers = layout.columns.map(column => {
    const codes = new Map<string, number>()
    words.set(column.name, codes)
    return cellWriter(column, word => codes.get(word) ?? codes.set(word, codes.size + 7).size + 6)
  })
  const rows = records.map((record): Cell[] =>
    layout.columns.map(({ name }, i) => writers[i]?.(record[name]) ?? null),
  )
  return {
    words: async column =>
      [...(words.get(column) ?? [])].map(([value, code]): Word => ({ code, value, folded: fold(value) })),
    async *rows() {
      for (let from = 0; from < rows.length; from += BATCH) yield rows.slice(from, from + BATCH)
    },
  }
}

const BATCH = 1000
