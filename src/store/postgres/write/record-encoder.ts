import type { StoredRecord } from '../../../query/query.ts'
import { shortDigestHex } from '../../encoding/content.ts'
import type { Layout } from '../../layout.ts'
import { type Dictionary, tableCells } from '../../table/cells.ts'
import { bytesCell, copyLine } from './copy-text.ts'

/** Encodes the records of a release, one after the other, for `copy` into its table `appended`. */
export interface RecordEncoder {
  /** The encoded row of a record: position, key, digest, and its columns. */
  line(position: number, key: string, content: string, record: StoredRecord): string
  /** The dictionaries so far, by column. */
  readonly dictionaries: Dictionaries
}

export type Dictionaries = ReadonlyMap<string, Dictionary>

/** Creates the encoder of a layout, optionally continuing earlier dictionaries. */
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
