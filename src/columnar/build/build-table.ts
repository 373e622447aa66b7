import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TableLayout } from '../../query/layout.ts'
import type { DictionaryData, DigestData, OrderedData, TableData } from '../indexes/table-data.ts'
import { DIGEST_BYTES } from '../render/texts.ts'
import type { ColumnScan } from './column-scan.ts'
import { buildDictionary, type DictionarySizes } from './dictionary.ts'
import { buildOrderedColumn, buildOrderingDate, withDateIndex } from './ordered-column.ts'
import { prerenderRows } from './prerendered-rows.ts'

export interface TableBuildOptions {
  /** Memory limit, in bytes, for prerendered rows. If they need more, rows are assembled for each result. */
  readonly prerenderBytes: number
  /** Overrides the sizes for large tables, so that tests reach every boundary with few rows. */
  readonly sizes?: Sizes
}

export interface Sizes extends DictionarySizes {
  /** A chunk of prerendered rows has `2 ** chunkShift` rows. */
  readonly chunkShift?: number
}

/**
 * Builds all columns and indexes. Every array is allocated once, at its full size. Between two columns the event loop runs other
 * work, such as the handling of a signal.
 */
export async function buildTableData(
  scan: ColumnScan,
  layout: TableLayout,
  { prerenderBytes, sizes = {} }: TableBuildOptions,
): Promise<TableData> {
  const dictionaries: DictionaryData[] = []
  const dated: OrderedData[] = []
  const digests: DigestData[] = []
  for (const { name, type } of layout.columns) {
    if (type === 'word') dictionaries.push(buildDictionary(scan, name, sizes))
    else if (type === 'digest') digests.push(readDigests(scan, name))
    else if (name !== layout.newestFirstBy)
      dated.push(buildOrderedColumn(scan, name, type === 'day' ? 'date' : type))
    await nextTurn()
  }
  const data: TableData = {
    rows: scan.rows,
    ordering: buildOrderingDate(scan, layout.newestFirstBy),
    dictionaries,
    ordered: dated.map(column => withDateIndex(column, dictionaries, sizes.blockShift)),
    digests,
    prerendered: undefined,
  }
  const prerendered = prerenderRows(layout, data, prerenderBytes, sizes.chunkShift)
  if (prerendered === undefined) return data
  const last = prerendered.endsWithDigest ? layout.columns.at(-1)?.name : undefined
  return { ...data, prerendered, digests: data.digests.filter(({ name }) => name !== last) }
}

function readDigests(scan: ColumnScan, name: string): DigestData {
  const bytes = new Uint8Array(scan.rows * DIGEST_BYTES)
  let end = 0
  for (const cells of scan.cells(name)) {
    bytes.set(cells, end)
    end += cells.length
  }
  return { name, bytes }
}
