import type { StoredRecord } from '../../../query/query.ts'
import { shortDigestHex } from '../../encoding/content.ts'
import type { Layout } from '../../layout.ts'
import { type Dictionary, tableCells } from '../../table/cells.ts'
import { bytesCell, copyLine } from './copy-text.ts'

/** Turns the records of a release, one after the other, into the lines that are copied into its table `appended`. */
export interface RecordEncoder {
  /** The line of a record: its number, what names it, what it says, and its columns. */
  line(position: number, key: string, content: string, record: StoredRecord): string
  /** The words met so far, by column. */
  readonly dictionaries: Dictionaries
}

export type Dictionaries = ReadonlyMap<string, Dictionary>

/** Starts the lines of a release of such a layout, or goes on where the words are known that came before. */
export function recordEncoder(layout: Layout, known?: Dictionaries): RecordEncoder {
  const { of, dictionaries } = cellsOf(layout, known)
  return {
    dictionaries,
    line: (position, key, content, record) =>
      `${position}\t${shortDigestHex(key)}\t${shortDigestHex(content)}\t${copyLine(of(record, content))}`,
  }
}

function cellsOf(layout: Layout, known: Dictionaries = new Map()) {
  if (layout.kind === 'table') return tableCells(layout, { digest: bytesCell, known })
  return { of: (_record: StoredRecord, content: string) => [content], dictionaries: known }
}
