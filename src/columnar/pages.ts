import type { Query, SortKey } from '../query/query.ts'
import { allOf } from './row-set.ts'
import type { Selected, ValueCodes } from './select.ts'
import { finish, STEP_ROWS, type Steps } from './steps.ts'
import type { TableData } from './table-data.ts'

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

/** A field to sort by: the rank of each code in the requested direction, null last. */
interface SortCodes {
  readonly codes: ValueCodes['codes']
  readonly ranks: Uint32Array
}

/** Ranks the codes of a field. */
export function sortCodes({ codes, size }: ValueCodes, direction: SortKey['direction']): SortCodes {
  const ranks = Uint32Array.from({ length: size + 1 }, (_, code) =>
    direction === 'ascending' || code === size ? code : size - 1 - code,
  )
  return { codes, ranks }
}

/**
 * Returns the part [offset, offset + limit) of rows in the order of the keys; equal rows keep their order. Only rows with the
 * same first rank as a row of that part are sorted.
 */
export function sortRows(
  rows: Uint32Array,
  keys: readonly SortCodes[],
  offset: number,
  limit: number,
): Uint32Array {
  const [key] = keys
  const end = Math.min(rows.length, offset + limit)
  if (key === undefined || offset >= end) return rows.slice(offset, end)
  const counts = finish(countRanks(rows, key))
  let first = 0
  let before = 0
  for (; before + (counts[first] as number) <= offset; first++) before += counts[first] as number
  let last = first
  let until = before
  for (; until < end; last++) until += counts[last] as number
  const candidates = new Uint32Array(until - before)
  let count = 0
  for (const row of rows) {
    const rank = key.ranks[key.codes[row] as number] as number
    if (rank >= first && rank < last) candidates[count++] = row
  }
  return finish(sortByKeys(candidates, keys)).slice(offset - before, end - before)
}

/** Sorts rows stably by all keys: a radix sort, the last key first. */
export function* sortByKeys(rows: Uint32Array, keys: readonly SortCodes[]): Steps<Uint32Array> {
  let sorted = rows
  for (const key of keys.toReversed()) {
    const next = yield* countRanks(sorted, key)
    let start = 0
    for (let rank = 0; rank < next.length; rank++) {
      const count = next[rank] as number
      next[rank] = start
      start += count
    }
    const target = new Uint32Array(sorted.length)
    for (let i = 0; i < sorted.length; i++) {
      if (i % STEP_ROWS === 0) yield
      const row = sorted[i] as number
      const rank = key.ranks[key.codes[row] as number] as number
      const at = next[rank] as number
      target[at] = row
      next[rank] = at + 1
    }
    sorted = target
  }
  return sorted
}

function* countRanks(rows: Uint32Array, { codes, ranks }: SortCodes): Steps<Uint32Array> {
  const counts = new Uint32Array(ranks.length)
  for (let i = 0; i < rows.length; i++) {
    if (i % STEP_ROWS === 0) yield
    const rank = ranks[codes[rows[i] as number] as number] as number
    counts[rank] = (counts[rank] as number) + 1
  }
  return counts
}
