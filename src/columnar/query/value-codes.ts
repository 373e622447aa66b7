import { columnOf, type TableLayout } from '../../query/layout.ts'
import { type CountKey, type DatePart, datePart, type Value } from '../../query/query.ts'
import { dayTimestamp } from '../../values/day-number.ts'
import { newCodes } from '../indexes/rank-index.ts'
import type { Codes, TableData } from '../indexes/table-data.ts'
import { digestsOf } from '../render/fields.ts'
import { DIGEST_BYTES, valuesOf } from '../render/texts.ts'

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
