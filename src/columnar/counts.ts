import type { Groups, Value } from '../query/query.ts'
import { sortByKeys, sortCodes } from './pages.ts'
import { allOf, countsBetween, type RowSet } from './row-set.ts'
import type { Selected, ValueCodes } from './select.ts'
import type { DictionaryData } from './table-data.ts'

/** Counts rows by the values of a dictionary column. If an index suffices, no row is visited. */
export function countDictionary(
  { name, codes, rankIndex }: DictionaryData,
  { first, end, conditions, dates, rows }: Selected,
): Uint32Array {
  if (conditions === 0) return countsBetween(rankIndex, codes.length, row => codes[row] as number, first, end)
  const index = dates?.column.index
  const byDate = index?.rankIndexes.get(name)
  if (index && byDate && dates) {
    const listed = index.list.rows
    const codeAt = (at: number) => codes[listed[at] as number] as number
    return countsBetween(byDate, listed.length, codeAt, dates.from, dates.to)
  }
  const counts = new Uint32Array(rankIndex.size)
  rows().visit(some => {
    for (let i = 0; i < some.length; i++) {
      const code = codes[some[i] as number] as number
      counts[code] = (counts[code] as number) + 1
    }
  })
  return counts
}

/** Up to this many combinations of values are counted in an array; more are counted by sorting. */
const MAX_COMBINATIONS = 1 << 20

/** Counts rows by the values of one or more fields. */
export function countFields(fields: readonly ValueCodes[], rows: RowSet): Groups {
  const combinations = fields.reduce((product, { size }) => product * (size + 1), 1)
  if (combinations > MAX_COMBINATIONS) return countSorted(fields, allOf(rows))
  const counts = new Uint32Array(combinations)
  rows.visit(some => {
    for (let i = 0; i < some.length; i++) {
      let key = 0
      for (let field = 0; field < fields.length; field++) {
        const { codes, size } = fields[field] as ValueCodes
        key = key * (size + 1) + (codes[some[i] as number] as number)
      }
      counts[key] = (counts[key] as number) + 1
    }
  })
  return groupsOf(counts, valuesOf(fields))
}

/** The values of a combination. A closure inside the counting functions would keep their arrays alive. */
export const valuesOf = (fields: readonly ValueCodes[]) => (combination: number) => {
  const values = new Array<Value>(fields.length)
  let rest = combination
  for (let field = fields.length - 1; field >= 0; field--) {
    const { size, value } = fields[field] as ValueCodes
    values[field] = value(rest % (size + 1))
    rest = Math.floor(rest / (size + 1))
  }
  return values
}

/** Sorts the rows by all fields, so that the rows of a group follow one another. */
function countSorted(fields: readonly ValueCodes[], rows: Uint32Array): Groups {
  const sorted = sortByKeys(
    rows,
    fields.map(field => sortCodes(field, 'ascending')),
  )
  const firsts = new Uint32Array(sorted.length)
  const counts = new Uint32Array(sorted.length)
  let found = 0
  for (let i = 0; i < sorted.length; i++) {
    const row = sorted[i] as number
    if (i === 0 || !areSame(fields, row, sorted[i - 1] as number)) firsts[found++] = row
    counts[found - 1] = (counts[found - 1] as number) + 1
  }
  const rowOf = firsts.slice(0, found)
  return groupsOf(
    counts.subarray(0, found),
    group => fields.map(({ codes, value }) => value(codes[rowOf[group] as number] as number)),
    rowOf.byteLength,
  )
}

function areSame(fields: readonly ValueCodes[], one: number, other: number): boolean {
  for (const { codes } of fields) if (codes[one] !== codes[other]) return false
  return true
}

/**
 * The groups with a count of at least one, in descending order of count, ties by their index. `read` returns the values of
 * an index; it holds `readBytes` of memory.
 */
export function groupsOf(counts: Uint32Array, read: (index: number) => Value[], readBytes = 0): Groups {
  const size = counts.length
  let most = 0
  let length = 0
  for (let i = 0; i < size; i++) {
    most = Math.max(most, counts[i] as number)
    if (counts[i] !== 0) length++
  }
  // Each group is one number in sort order: it takes eight bytes, and sorting numbers is far quicker than comparing pairs.
  const keys = new Float64Array(length)
  let found = 0
  for (let i = 0; i < size; i++)
    if (counts[i] !== 0) keys[found++] = (most - (counts[i] as number)) * size + i
  keys.sort()
  const countOf = (key: number) => most - Math.floor(key / size)
  return {
    length,
    bytes: keys.byteLength + readBytes,
    slice: (from, to) => Array.from(keys.subarray(from, to), key => [...read(key % size), countOf(key)]),
    sum: from => keys.subarray(from).reduce((sum, key) => sum + countOf(key), 0),
  }
}
