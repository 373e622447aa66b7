import type { Groups, Value } from '../query/query.ts'
import type { MaybePromise } from '../values/promises.ts'
import { countPairs, measure, type Numbers } from './measures.ts'
import { sortByKeys, sortCodes } from './pages.ts'
import { BATCH, countsBetween, type RowSet } from './row-set.ts'
import type { Selected, ValueCodes } from './select.ts'
import { finishInTurns, STEP_ROWS, type Steps } from './steps.ts'
import type { Codes, DictionaryData } from './table-data.ts'

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
  const read = new Uint32Array(BATCH)
  rows().visit((codesOf, length) => countCodes(counts, codesOf(codes, read), length))
  return counts
}

/** Up to this many combinations of values are counted in an array; more are counted by sorting. */
const MAX_COMBINATIONS = 1 << 20
/** Up to this many pairs of a combination and a number are counted in arrays. */
const MAX_PAIRS = 1 << 22

/** Counts rows by the values of one or more fields, and measures numbers in each group. */
export function countFields(
  fields: readonly ValueCodes[],
  rows: RowSet,
  measured: readonly Numbers[],
): MaybePromise<Groups> {
  const combinations = fields.reduce((product, { size }) => product * (size + 1), 1)
  const widths = measured.reduce((sum, { values }) => sum + values.length + 1, 0)
  // Other queries run between the steps.
  if (combinations > MAX_COMBINATIONS || combinations * widths > MAX_PAIRS)
    return finishInTurns(countSorted(fields, rows.own(), measured))
  const counts = new Uint32Array(combinations)
  const pairs = measured.map(({ values }) => new Uint32Array(combinations * (values.length + 1)))
  const fromPairs = pairs[0] !== undefined && pairs[0].length < rows.total
  const [keys, gathered] = [new Uint32Array(BATCH), new Uint32Array(BATCH)]
  rows.visit((read, length) => {
    let groups: Codes = keys.fill(0)
    for (const { codes, size } of fields)
      if (fields.length > 1) appendCodes(keys, read(codes, gathered), size + 1)
      else groups = read(codes, keys)
    if (!fromPairs) countCodes(counts, groups, length)
    for (const [at, { codes, values }] of measured.entries())
      countPairs(pairs[at] as Uint32Array, groups, read(codes, gathered), values.length + 1)
  })
  if (fromPairs) addPairs(counts, pairs[0] as Uint32Array)
  const bytes = pairs.reduce((sum, { byteLength }) => sum + byteLength, 0)
  return groupsOf(counts, withMeasures(valuesOf(fields), pairMeasures(measured, pairs)), bytes)
}

/** Counts the rows of groups from their pairs. */
function addPairs(counts: Uint32Array, pairs: Uint32Array): void {
  const width = pairs.length / counts.length
  for (let group = 0, pair = 0; group < counts.length; group++)
    for (const end = pair + width; pair < end; pair++)
      counts[group] = (counts[group] as number) + (pairs[pair] as number)
}

type ReadValues = (group: number) => Value[]

const withMeasures =
  (read: ReadValues, measures: ReadValues): ReadValues =>
  group => [...read(group), ...measures(group)]

const pairMeasures =
  (measured: readonly Numbers[], pairs: readonly Uint32Array[]): ReadValues =>
  group =>
    measured.flatMap((numbers, at) => {
      const width = numbers.values.length + 1
      return measure(numbers, undefined, pairs[at]?.subarray(group * width, (group + 1) * width))
    })

/** Measures the rows of a group, which are consecutive in `sorted`. */
const sortedMeasures =
  (measured: readonly Numbers[], sorted: Uint32Array, starts: Uint32Array, counts: Uint32Array): ReadValues =>
  group =>
    measured.flatMap(numbers => {
      const rows = sorted.subarray(starts[group], (starts[group] as number) + (counts[group] as number))
      return measure(
        numbers,
        rows.map(row => numbers.codes[row] as number),
      )
    })

const NOTHING: ReadValues = () => []

/** Counts the first codes. A loop in a function of its own is twice as fast as one in a closure. */
function countCodes(counts: Uint32Array, codes: Codes, length: number): void {
  for (let i = 0; i < length; i++) {
    const code = codes[i] as number
    counts[code] = (counts[code] as number) + 1
  }
}

/** Makes each key that of a longer combination. */
function appendCodes(keys: Uint32Array, codes: Codes, size: number): void {
  for (let i = 0; i < codes.length; i++) keys[i] = (keys[i] as number) * size + (codes[i] as number)
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
function* countSorted(
  fields: readonly ValueCodes[],
  rows: RowSet,
  measured: readonly Numbers[],
): Steps<Groups> {
  const all = new Uint32Array(rows.total)
  for (let from = 0; from < all.length; from += STEP_ROWS) {
    rows.list(from, all.subarray(from, from + STEP_ROWS))
    yield
  }
  const keys = fields.map(field => sortCodes(field, 'ascending'))
  const sorted = yield* sortByKeys(all, keys)
  const firsts = new Uint32Array(sorted.length)
  const counts = new Uint32Array(sorted.length)
  let found = 0
  for (let i = 0; i < sorted.length; i++) {
    if (i % STEP_ROWS === 0) yield
    const row = sorted[i] as number
    if (i === 0 || !areSame(fields, row, sorted[i - 1] as number)) firsts[found++] = i
    counts[found - 1] = (counts[found - 1] as number) + 1
  }
  const starts = firsts.slice(0, found)
  const rowOf = starts.map(start => sorted[start] as number)
  yield
  const [counted, isPlain] = [counts.subarray(0, found), measured.length === 0]
  return groupsOf(
    counted,
    withMeasures(
      group => fields.map(({ codes, value }) => value(codes[rowOf[group] as number] as number)),
      isPlain ? NOTHING : sortedMeasures(measured, sorted, starts, counted),
    ),
    rowOf.byteLength + (isPlain ? 0 : sorted.byteLength + starts.byteLength + counted.byteLength),
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
  let total = 0
  for (let i = 0; i < size; i++) {
    most = Math.max(most, counts[i] as number)
    total += counts[i] as number
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
    sum: (from = 0) => keys.subarray(0, from).reduce((rest, key) => rest - countOf(key), total),
  }
}
