import { type Column, columnOf, type TableLayout } from '../query/layout.ts'
import {
  type CountKey,
  type DatePart,
  datePart,
  type Filter,
  type RangeFilter,
  type Value,
} from '../query/query.ts'
import { wordsOf } from '../query/words.ts'
import { dayNumber, dayTimestamp } from '../values/day-number.ts'
import { fold } from '../values/text.ts'
import { type DictionarySearch, openDictionarySearch } from './dictionary-search.ts'
import { DIGEST_BYTES, digestsOf, valuesOf } from './render.ts'
import {
  firstWhere,
  intersectBits,
  keepRange,
  lowestOne,
  newCodes,
  type RowSet,
  rangeOfRows,
  rowsOfBits,
  setBit,
  uniteBits,
} from './row-set.ts'
import type { Codes, DictionaryData, OrderedData, OrderingDate, TableData } from './table-data.ts'

/** The rows that meet every filter of a query. */
export interface Selected {
  /** The selected rows lie in [first, end), the range of the ordering date. */
  readonly first: number
  readonly end: number
  /** The number of conditions besides the ordering date. */
  readonly conditions: number
  /** If the only filter is a range of another date: the places of this range in the list of rows by date. */
  readonly dates: { readonly column: OrderedData; readonly from: number; readonly to: number } | undefined
  /** Finds the rows, in memory that the next query writes to. */
  rows(): RowSet
}

/** A condition on the rows. */
interface Condition {
  /** The most rows of the table that can meet the condition. */
  readonly rows: number
  /** Sets the bits of the rows that meet the condition, at least in the words [from, to). Bits beyond have no meaning. */
  add(bits: Int32Array, from: number, to: number): void
  /** The number of rows that `add` sets one by one, and codes with a mask to check single rows instead. */
  readonly listed?: number
  readonly coded?: () => Coded
}

/** The codes of all rows, and a mask with 1 for each selected code. */
interface Coded {
  readonly codes: Codes
  readonly mask: Uint8Array
}

/**
 * Opens the columns of a table for queries. Each condition sets a bit for each of its rows, 32 rows at a time where a value is
 * frequent, and conditions are joined by "and". Throws RangeError for a field that is missing or does not take the filter.
 */
export function openSelect(layout: TableLayout, data: TableData): (filters: readonly Filter[]) => Selected {
  const dictionaries = new Map(
    data.dictionaries.map(column => [column.name, { column, search: openDictionarySearch(column.search) }]),
  )
  const ordered = new Map(data.ordered.map(column => [column.name, column]))
  const rowsWith = openDigestSearch(layout, data)
  const words = Math.ceil(data.rows / 32)
  const [bits, spare] = [new Int32Array(words), new Int32Array(words)]
  // Memory that queries share: new memory for each would have V8 collect garbage several times a second.
  const sizes = [
    ...data.dictionaries.map(({ rankIndex }) => rankIndex.size),
    ...data.ordered.map(({ values }) => values.length + 1),
  ]
  const masks = new Uint8Array(Math.max(0, ...sizes))
  const copies: Uint32Array[] = []
  let copied = 0

  /** A mask without a selected code, until the next one is taken. */
  const emptyMask = (size: number): Uint8Array => masks.subarray(0, size).fill(0)

  /** Copies values for the time of a query. */
  function copy(values: Uint32Array): Uint32Array {
    const known = copies[copied]
    const own = known !== undefined && known.length >= values.length ? known : new Uint32Array(values.length)
    copies[copied++] = own
    own.set(values)
    return own.subarray(0, values.length)
  }

  /** The rows with a value of a dictionary that matches one of some texts. */
  function matching(field: string, match: keyof DictionarySearch, ...folded: readonly string[]): Condition {
    const dictionary = dictionaries.get(columnOf(layout, field).name)
    if (dictionary === undefined) throw new RangeError(`"${field}" has no words`)
    const { column, search } = dictionary
    // Copied, as the next search overwrites the array.
    const [only] = folded
    const values =
      only !== undefined && folded.length === 1
        ? copy(search[match](only))
        : Uint32Array.from(new Set(folded.flatMap(text => [...search[match](text)])))
    const [listed, rows] = countRows(column, values)
    return {
      rows,
      listed,
      add: (...target) => addRows(column, values, ...target),
      coded() {
        const mask = emptyMask(column.rankIndex.size)
        for (const value of values) mask[value] = 1
        return { codes: column.codes, mask }
      },
    }
  }

  /** The rows in which any of the fields contains a word. */
  function containing(fields: readonly string[], word: string): Condition {
    const columns = fields.map(field => matching(field, 'containing', word))
    return {
      rows: columns.reduce((sum, { rows }) => sum + rows, 0),
      add(...target) {
        for (const column of columns) column.add(...target)
      },
    }
  }

  function withDigest(field: string, digest: string): Condition {
    const found = rowsWith(field, digest)
    return {
      rows: found.length,
      add(target) {
        for (const row of found) setBit(target, row)
      },
    }
  }

  /** The rows of a range of values, and the places of the range in the list of rows by value. */
  function inRange(column: OrderedData, range: ValueRange) {
    const { low, high } = codesOfRange(column, range)
    const [from, to] = [column.starts[low] as number, column.starts[high] as number]
    const coded = () => ({
      codes: column.codes,
      mask: emptyMask(column.values.length + 1).fill(1, low, high),
    })
    const condition: Condition = {
      rows: to - from,
      listed: to - from,
      coded,
      add(target, ...words) {
        if (column.index === undefined || (to - from) * JUMP_COST > data.rows)
          return addCoded(coded(), target, ...words)
        for (let at = from; at < to; at++) setBit(target, column.index.list.rows[at] as number)
      },
    }
    return { column, from, to, condition }
  }

  return filters => {
    copied = 0
    const conditions: Condition[] = []
    let [first, end] = [0, data.rows]
    let dates: Selected['dates']

    for (const filter of filters) {
      if ('words' in filter) {
        for (const word of wordsOf(filter.words)) conditions.push(containing(filter.fields, word))
        continue
      }
      const { name, type } = columnOf(layout, filter.field)
      if (type === 'word' && 'contains' in filter) {
        const folded = fold(filter.contains)
        // Every value contains "".
        if (folded !== '') conditions.push(matching(name, 'containing', folded))
      } else if (type === 'word' && 'equals' in filter)
        conditions.push(matching(name, 'equalTo', ...[filter.equals].flat().map(text => fold(String(text)))))
      else if (type === 'digest' && 'equals' in filter)
        conditions.push(withDigest(name, fold(String(filter.equals))))
      else {
        const range = valueRange(filter, type)
        const column = ordered.get(name)
        if (column === undefined) {
          const rows = rowsOfRange(data.ordering, range)
          first = Math.max(first, rows.first)
          end = Math.min(end, rows.end)
          continue
        }
        const { condition, ...places } = inRange(column, range)
        conditions.push(condition)
        if (column.index !== undefined) dates = places
      }
    }

    end = Math.max(first, end)
    return {
      first,
      end,
      conditions: conditions.length,
      dates: conditions.length === 1 && end - first === data.rows ? dates : undefined,
      rows() {
        const [fewest, ...others] = conditions.sort((one, other) => one.rows - other.rows)
        if (fewest === undefined || first === end) return rangeOfRows(first, end)
        const [from, to] = [first >>> 5, Math.ceil(end / 32)]
        bits.fill(0, from, to)
        fewest.add(bits, from, to)
        for (const { listed = 0, coded, add } of others) {
          if (coded !== undefined && fewest.rows * CHECK_COST < listed) keepCoded(coded(), bits, from, to)
          else {
            spare.fill(0, from, to)
            add(spare, from, to)
            intersectBits(bits, spare, from, to)
          }
        }
        keepRange(bits, first, end)
        return rowsOfBits(bits, from, to)
      },
    }
  }
}

/** Adds the rows of values: by their bitmaps, or row by row. */
function addRows(
  { bitmaps, starts, list }: DictionaryData,
  values: Uint32Array,
  bits: Int32Array,
  from: number,
  to: number,
): void {
  for (const value of values) {
    const start = starts[value] as number
    const end = starts[value + 1] as number
    for (let at = start; at < end; at++) setBit(bits, list.rows[at] as number)
    // A value that is not listed has a bitmap.
    if (start === end) uniteBits(bits, bitmaps.get(value) as Int32Array, from, to)
  }
}

/** Counts the rows of values: the rows in posting lists, and all rows. */
function countRows({ starts, rankIndex }: DictionaryData, values: Uint32Array) {
  const { size, before } = rankIndex
  let listed = 0
  let rows = 0
  for (const value of values) {
    rows += before[before.length - size + value] as number
    listed += (starts[value + 1] as number) - (starts[value] as number)
  }
  return [listed, rows] as const
}

/** A row from the list by date costs as much as a scan of this many rows, since it may be anywhere in memory. */
const JUMP_COST = 4
/** Checking a row by its code costs as much as setting the bits of this many rows. */
const CHECK_COST = 2

/** Adds the rows whose code is in a mask, by a scan. */
function addCoded({ codes, mask }: Coded, bits: Int32Array, from: number, to: number): void {
  for (let word = from; word < to; word++) {
    let found = 0
    const last = Math.min(codes.length, word * 32 + 32)
    for (let row = word * 32; row < last; row++) found |= (mask[codes[row] as number] as number) << row
    bits[word] = (bits[word] as number) | found
  }
}

/** Keeps the rows whose code is in a mask. */
function keepCoded({ codes, mask }: Coded, bits: Int32Array, from: number, to: number): void {
  for (let word = from; word < to; word++) {
    let kept = 0
    for (let left = bits[word] as number; left !== 0; left &= left - 1) {
      const row = word * 32 + lowestOne(left)
      kept |= (mask[codes[row] as number] as number) << row
    }
    bits[word] = kept
  }
}

/** Both ends are inclusive; an open end is infinite. */
interface ValueRange {
  readonly from: number
  readonly to: number
}

function valueRange(filter: Exclude<Filter, { words: string }>, type: Column['type']): ValueRange {
  if (type === 'number' && 'equals' in filter) {
    const { equals } = filter
    return typeof equals === 'number' ? { from: equals, to: equals } : EMPTY
  }
  const isRange = !('contains' in filter || 'equals' in filter)
  if (isRange && type === 'day') return ends(filter, end => dayNumber(String(end)))
  if (isRange && type === 'number') return ends(filter, Number)
  throw new RangeError(`"${filter.field}" cannot be filtered like that`)
}

/** No number equals a text. */
const EMPTY: ValueRange = { from: 1, to: 0 }

function ends({ from, to }: RangeFilter, read: (end: number | string) => number): ValueRange {
  return {
    from: from === undefined ? Number.NEGATIVE_INFINITY : read(from),
    to: to === undefined ? Number.POSITIVE_INFINITY : read(to),
  }
}

/** The codes [low, high) of a range of values. */
function codesOfRange({ values }: OrderedData, { from, to }: ValueRange) {
  const low = firstWhere(0, values.length, code => (values[code] as number) >= from)
  return { low, high: firstWhere(low, values.length, code => (values[code] as number) > to) }
}

/** Finds the rows of a range of the ordering date. */
function rowsOfRange({ values, starts }: OrderingDate, { from, to }: ValueRange) {
  const first = firstWhere(0, values.length, date => (values[date] as number) <= to)
  const end = firstWhere(0, values.length, date => (values[date] as number) < from)
  return { first: starts[first] as number, end: starts[end] as number }
}

/** The values of a field, or of a part of its dates, as codes in value order. Rows are sorted and grouped by codes. */
export interface ValueCodes {
  readonly codes: Codes
  /** The number of distinct values, which is also the code of null. */
  readonly size: number
  value(code: number): Value
}

/** Opens the codes of all keys. Codes without an index are computed at first use. Throws RangeError for an invalid key. */
export function openValueCodes(layout: TableLayout, data: TableData): (key: CountKey) => ValueCodes {
  const opened = new Map<string, ValueCodes>()

  function codesOf(key: CountKey): ValueCodes {
    const { field, part = undefined } = typeof key === 'string' ? { field: key } : key
    const name = part === undefined ? field : `${field}/${part}`
    let codes = opened.get(name)
    if (codes === undefined) {
      const { type } = columnOf(layout, field)
      if (part !== undefined && type !== 'day') throw new RangeError(`field "${field}" is no date`)
      codes = part === undefined ? valueCodes(field, layout, data) : partCodes(codesOf(field), part)
      opened.set(name, codes)
    }
    return codes
  }
  return codesOf
}

/** Codes of the years or months of dates, in the order of the dates. */
function partCodes({ codes: dates, size, value }: ValueCodes, part: DatePart): ValueCodes {
  const parts: Value[] = []
  const codeOf = new Uint32Array(size + 1)
  for (let date = 0; date < size; date++) {
    const found = datePart(String(value(date)), part)
    if (found !== parts.at(-1)) parts.push(found)
    codeOf[date] = parts.length - 1
  }
  codeOf[size] = parts.length
  const codes = newCodes(dates.length, parts.length + 1)
  for (let row = 0; row < codes.length; row++) codes[row] = codeOf[dates[row] as number] as number
  return { codes, size: parts.length, value: code => parts[code] ?? null }
}

function valueCodes(field: string, layout: TableLayout, data: TableData): ValueCodes {
  const dictionary = data.dictionaries.find(({ name }) => name === field)
  if (dictionary !== undefined)
    return { codes: dictionary.codes, size: dictionary.rankIndex.size, value: valuesOf(dictionary.texts) }
  const ordered = data.ordered.find(({ name }) => name === field)
  if (ordered !== undefined) {
    const { type, codes, values } = ordered
    const toValue = type === 'date' ? dayTimestamp : (value: number) => value
    return { codes, size: values.length, value: code => nullable(values[code], toValue) }
  }
  return field === data.ordering.name ? orderingCodes(data) : digestCodes(field, layout, data)
}

const nullable = (value: number | undefined, toValue: (value: number) => Value) =>
  value === undefined ? null : toValue(value)

/** The ordering date falls from row to row, so its codes fall too. */
function orderingCodes({ ordering: { values, starts }, rows }: TableData): ValueCodes {
  const size = values.length
  const codes = newCodes(rows, size + 1).fill(size)
  for (let i = 0; i < size; i++) codes.fill(size - 1 - i, starts[i], starts[i + 1])
  return { codes, size, value: code => nullable(values[size - 1 - code], dayTimestamp) }
}

/** Sorts the digests by their first 48 bits; if these are equal, by all bits. */
function digestCodes(field: string, layout: TableLayout, data: TableData): ValueCodes {
  const digests = digestsOf(field, layout, data)
  const prefixes = Float64Array.from({ length: data.rows }, (_, row) => {
    const { bytes, start } = digests(row)
    return bytes.readUIntBE(start, 6)
  })
  const compare = (one: number, other: number): number => {
    const [a, b] = [digests(one), digests(other)]
    return a.bytes.compare(b.bytes, b.start, b.start + DIGEST_BYTES, a.start, a.start + DIGEST_BYTES)
  }
  const rows = Uint32Array.from(prefixes.keys()).sort(
    (one, other) => (prefixes[one] as number) - (prefixes[other] as number) || compare(one, other),
  )
  const codes = new Uint32Array(data.rows)
  const firstRows: number[] = []
  for (const [i, row] of rows.entries()) {
    if (i === 0 || compare(rows[i - 1] as number, row) !== 0) firstRows.push(row)
    codes[row] = firstRows.length - 1
  }
  const value = (code: number) => {
    const { bytes, start } = digests(firstRows[code] as number)
    return bytes.toString('hex', start, start + DIGEST_BYTES)
  }
  return { codes, size: firstRows.length, value }
}

/**
 * Returns a function that finds the rows of a column with a digest, given in hexadecimal digits. A search scans the first
 * 32 bits of all digests; the first search gathers these bits.
 */
function openDigestSearch(
  layout: TableLayout,
  data: TableData,
): (column: string, digest: string) => number[] {
  const gathered = new Map<string, Uint32Array>()

  function prefixesOf(column: string): Uint32Array {
    const known = gathered.get(column)
    if (known !== undefined) return known
    const digests = digestsOf(column, layout, data)
    const prefixes = new Uint32Array(data.rows)
    for (let row = 0; row < data.rows; row++) {
      const { bytes, start } = digests(row)
      prefixes[row] = bytes.readUInt32BE(start)
    }
    gathered.set(column, prefixes)
    return prefixes
  }

  return (column, digest) => {
    const wanted = Buffer.from(digest, 'hex')
    if (wanted.length !== DIGEST_BYTES || wanted.toString('hex') !== digest) return []
    const prefixes = prefixesOf(column)
    const digests = digestsOf(column, layout, data)
    const prefix = wanted.readUInt32BE(0)
    const rows: number[] = []
    for (let row = prefixes.indexOf(prefix); row >= 0; row = prefixes.indexOf(prefix, row + 1)) {
      const { bytes, start } = digests(row)
      if (wanted.equals(bytes.subarray(start, start + DIGEST_BYTES))) rows.push(row)
    }
    return rows
  }
}
