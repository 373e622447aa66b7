import type { Query } from '../../query/query.ts'
import { allOf } from '../indexes/row-set.ts'
import type { TableData } from '../indexes/table-data.ts'
import type { Selected } from './select.ts'
import { sortCodes, sortRows } from './sort.ts'
import type { ValueCodes } from './value-codes.ts'

/** The number of rows that a query selects, and the rows of one page. Later queries do not change them. */
export interface Page {
  readonly total: number
  readonly length: number
  /** Skips `from` rows of the page and fills `rows` with the next ones. There must be enough rows to fill it. */
  read(from: number, rows: Uint32Array): void
}

/** The rows of longer pages are not listed beforehand. */
const MAX_LISTED = 4096

/** Finds the page of a query among the rows that its filters select. */
export function findPage(
  selected: Selected,
  { offset = 0, limit = Number.POSITIVE_INFINITY, sort = [] }: Query,
  ordering: TableData['ordering'],
  valueCodes: (field: string) => ValueCodes,
): Page {
  const rows = selected.rows()
  const { total } = rows
  const length = Math.max(0, Math.min(limit, total - offset))
  const keys = sort.map(({ field, direction }) => sortCodes(valueCodes(field), direction))
  const isServedOrder =
    sort[0]?.field === ordering.name && sort[0].direction === 'descending' && keys.length === 1
  if (keys.length > 0 && !isServedOrder)
    return { total, length, read: readFrom(sortRows(allOf(rows), keys, offset, length)) }
  if (length > MAX_LISTED) {
    const own = rows.own()
    return { total, length, read: (from, target) => own.list(offset + from, target) }
  }
  const listed = new Uint32Array(length)
  if (length > 0) rows.list(offset, listed)
  return { total, length, read: readFrom(listed) }
}

const readFrom =
  (rows: Uint32Array): Page['read'] =>
  (from, target) =>
    target.set(rows.subarray(from, from + target.length))
