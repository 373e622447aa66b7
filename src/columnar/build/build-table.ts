import type { CellBatch, ColumnScan } from '../../store/column-scan.ts'
import type { TableLayout } from '../../store/layout.ts'
import { type ColumnarTable, openColumnarTable } from '../columnar-table.ts'
import type { DigestData, TableData } from '../indexes/table-data.ts'
import { DIGEST_BYTES } from '../render/texts.ts'
import { countPairs, withCoveringCodes } from './column-pairs.ts'
import { type DictionarySizes, startDictionary } from './dictionary.ts'
import { startOrderedColumn, startOrderingDate, withDateIndex } from './ordered-column.ts'
import { prerenderRows } from './prerendered-rows.ts'

export interface BuildOptions {
  /** The most memory, in bytes, for prerendered rows; where they need more, rows are assembled for each result. */
  readonly prerenderBytes: number
  /** Overrides the sizes for large tables, so that tests reach every boundary with few rows. */
  readonly sizes?: Sizes
}

export interface Sizes extends DictionarySizes {
  /** A chunk of prerendered rows has 2 to the power of this many rows. */
  readonly chunkShift?: number
  /** Columns from this number of values on have covering codes. */
  readonly minCovering?: number
}

/** Builds and opens the columnar table of a release with this many rows. */
export async function buildColumnarTable(
  scan: ColumnScan,
  layout: TableLayout,
  rows: number,
  options: BuildOptions,
): Promise<ColumnarTable> {
  return openColumnarTable(layout, await buildTableData(scan, layout, rows, options))
}

/** Builds all columns and indexes. Every array is allocated once, at its full size. */
export async function buildTableData(
  scan: ColumnScan,
  layout: TableLayout,
  rows: number,
  { prerenderBytes, sizes = {} }: BuildOptions,
): Promise<TableData> {
  const started = {
    dictionaries: [] as ReturnType<typeof startDictionary>[],
    ordered: [] as ReturnType<typeof startOrderedColumn>[],
    digests: [] as ReturnType<typeof startDigests>[],
  }
  const orderingDate = startOrderingDate(layout.newestFirstBy, rows)
  const takers: Taker[] = []
  for (const { name, type } of layout.columns) {
    if (name === layout.newestFirstBy) takers.push(orderingDate.take)
    else if (type === 'word')
      takers.push(added(started.dictionaries, startDictionary(name, await scan.words(name), rows, sizes)))
    else if (type === 'digest') takers.push(added(started.digests, startDigests(name, rows)))
    else takers.push(added(started.ordered, startOrderedColumn(name, type === 'day' ? 'date' : type, rows)))
  }
  await fill(takers, scan, rows)

  const dictionaries = started.dictionaries.map(column => column.finish())
  const ordered = started.ordered.map(column =>
    withDateIndex(column.finish(), dictionaries, sizes.blockShift),
  )
  const data: TableData = {
    rows,
    ordering: orderingDate.finish(),
    dictionaries: dictionaries.map(one => withCoveringCodes(one, dictionaries, ordered, sizes.minCovering)),
    ordered,
    digests: started.digests.map(column => column.finish()),
    pairs: countPairs(dictionaries),
    prerendered: undefined,
  }
  const prerendered = prerenderRows(layout, data, prerenderBytes, sizes.chunkShift)
  if (prerendered === undefined) return data
  const last = prerendered.endsWithDigest ? layout.columns.at(-1)?.name : undefined
  return { ...data, prerendered, digests: data.digests.filter(({ name }) => name !== last) }
}

/** Takes the cells of a column for a batch of rows that starts at `from`. */
type Taker = (cells: CellBatch, from: number) => void

function added<T extends { readonly take: Taker }>(columns: T[], column: T): Taker {
  columns.push(column)
  return column.take
}

function startDigests(name: string, rows: number) {
  const bytes = new Uint8Array(rows * DIGEST_BYTES)
  return {
    take: (cells: CellBatch, from: number): void => bytes.set(cells as Uint8Array, from * DIGEST_BYTES),
    finish: (): DigestData => ({ name, bytes }),
  }
}

async function fill(takers: readonly Taker[], scan: ColumnScan, rows: number): Promise<void> {
  let taken = 0
  for await (const batch of scan.rows()) {
    if (taken + batch.rows > rows) throw new Error(`the table has more than its ${rows} rows`)
    for (const [i, cells] of batch.columns.entries()) takers[i]?.(cells, taken)
    taken += batch.rows
  }
  if (taken < rows) throw new Error(`the table has ${taken} rows in place of ${rows}`)
}
