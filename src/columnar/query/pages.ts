import type { Query } from '../../query/query.ts'
import { newResultBitset } from '../indexes/result-bitset.ts'
import type { TableData } from '../indexes/table-data.ts'
import { findAll, findConjunction } from './conjunction.ts'
import { countBefore, listRows } from './dictionary-rows.ts'
import { countRangeBefore, listRange } from './ordered-rows.ts'
import type { Plan } from './plan.ts'
import { sortCodes, sortRows } from './sort.ts'
import type { ValueCodes } from './value-codes.ts'

/** The number of rows that a query selects, and those of one page, independent of any query that follows. */
export interface Page {
  readonly total: number
  readonly length: number
  /** Writes the page's rows after the first `from` into `rows`, which has room for no more than there are. */
  read(from: number, rows: Uint32Array): void
}

/** Finds the pages and the rows of plans. */
export interface Pages {
  find(plan: Plan, query: Query): Page
  /** Returns all selected rows in served order. */
  selectedRows(plan: Plan): Uint32Array
}

/** The rows of longer pages are not listed beforehand, but read from a bitset of their own. */
const MAX_LISTED = 4096

export function openPages(data: TableData, valueCodes: (field: string) => ValueCodes): Pages {
  const { rows: tableRows, pairs, ordering } = data
  const shared = newResultBitset(tableRows)

  function selectedRows(plan: Plan): Uint32Array {
    const { first, end } = plan
    if (plan.conditions === 0) {
      const rows = new Uint32Array(end - first)
      fillRange(first, rows)
      return rows
    }
    try {
      const { total } = findAll(plan, shared)
      const rows = new Uint32Array(total)
      if (total > 0) shared.list(0, rows)
      return rows
    } finally {
      shared.clear()
    }
  }

  function find(plan: Plan, { offset = 0, limit = tableRows, sort = [] }: Query): Page {
    const { first, end, dictionaries, ordered, conditions } = plan
    const [column] = dictionaries
    const [range] = ordered
    if (first === end) return listed(0, offset, limit, () => {})
    const keys = sort.map(({ field, direction }) => sortCodes(valueCodes(field), direction))
    const isServedOrder =
      sort[0]?.field === ordering.name && sort[0].direction === 'descending' && keys.length === 1
    if (keys.length > 0 && !isServedOrder) {
      const rows = selectedRows(plan)
      const sorted = sortRows(rows, keys, offset, limit)
      return { total: rows.length, length: sorted.length, read: (from, target) => copy(sorted, from, target) }
    }
    if (conditions === 0) {
      const length = pageLength(end - first, offset, limit)
      return { total: end - first, length, read: (from, rows) => fillRange(first + offset + from, rows) }
    }
    if (limit > MAX_LISTED) {
      const result = findAll(plan, newResultBitset(tableRows))
      const length = pageLength(result.total, offset, limit)
      return { total: result.total, length, read: (from, rows) => result.list(offset + from, rows) }
    }
    if (conditions === 1 && column !== undefined) {
      const before = countBefore(column, first)
      const total = countBefore(column, end) - before
      return listed(total, offset, limit, rows => listRows(column, before + offset, rows))
    }
    const matrix = range?.data.index?.matrix
    if (conditions === 1 && range !== undefined && matrix !== undefined) {
      const before = countRangeBefore(matrix, range, first)
      const total = countRangeBefore(matrix, range, end) - before
      return listed(total, offset, limit, rows => listRange(matrix, range, before + offset, rows))
    }
    try {
      const found = findConjunction(plan, pairs, shared)
      return listed(found.total, offset, limit, rows => found.list(offset, rows))
    } finally {
      shared.clear()
    }
  }

  return { find, selectedRows }
}

const pageLength = (total: number, offset: number, limit: number) =>
  Math.max(0, Math.min(limit, total - offset))

function listed(total: number, offset: number, limit: number, list: (rows: Uint32Array) => void): Page {
  const rows = new Uint32Array(pageLength(total, offset, limit))
  if (rows.length > 0) list(rows)
  return { total, length: rows.length, read: (from, target) => copy(rows, from, target) }
}

function copy(rows: Uint32Array, from: number, target: Uint32Array): void {
  target.set(rows.subarray(from, from + target.length))
}

function fillRange(first: number, rows: Uint32Array): void {
  for (let i = 0; i < rows.length; i++) rows[i] = first + i
}
