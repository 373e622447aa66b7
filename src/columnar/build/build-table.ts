import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Column, TableLayout } from '../../query/layout.ts'
import type { DigestData, TableData } from '../indexes/table-data.ts'
import { DIGEST_BYTES } from '../render/texts.ts'
import { countPairs, withCoveringCodes } from './column-pairs.ts'
import type { CellBatch, ColumnScan } from './column-scan.ts'
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

/**
 * Builds all columns and indexes. Every array is allocated once, at its full size. Between two columns other work has a turn of
 * the event loop, such as the handling of a signal.
 */
export async function buildTableData(
  scan: ColumnScan,
  layout: TableLayout,
  { prerenderBytes, sizes = {} }: BuildOptions,
): Promise<TableData> {
  const { rows } = scan
  const started = {
    dictionaries: [] as ReturnType<typeof startDictionary>[],
    ordered: [] as ReturnType<typeof startOrderedColumn>[],
    digests: [] as ReturnType<typeof startDigests>[],
  }
  const orderingDate = startOrderingDate(layout.newestFirstBy, rows)
  for (const { name, type } of layout.columns) {
    fill(name, takerOf(name, type))
    await nextTurn()
  }

  function takerOf(name: string, type: Column['type']): Taker {
    if (name === layout.newestFirstBy) return orderingDate.take
    if (type === 'word')
      return added(started.dictionaries, startDictionary(name, scan.words(name), rows, sizes))
    if (type === 'digest') return added(started.digests, startDigests(name, rows))
    return added(started.ordered, startOrderedColumn(name, type === 'day' ? 'date' : type, rows))
  }
  function fill(name: string, take: Taker): void {
    let taken = 0
    for (const cells of scan.cells(name)) {
      take(cells, taken)
      taken += cells instanceof Uint8Array ? cells.length / DIGEST_BYTES : cells.length
    }
  }

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
