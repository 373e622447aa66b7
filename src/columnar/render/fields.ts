import type { Column, TableLayout } from '../../query/layout.ts'
import { dayTimestamp } from '../../values/day-number.ts'
import { firstWhere } from '../indexes/bits.ts'
import type { Codes, OrderedData, OrderingDate, TableData } from '../indexes/table-data.ts'
import { asBytes, cached, DIGEST_BYTES, type TextByCode, textBytes } from './texts.ts'

/** Returns a row's JSON of one column, with the field's name and the punctuation before it; bytes as characters. */
export type FieldText = (row: number) => string

/** Opens the fields to assemble rows from. A row is its concatenated fields with a closing brace. */
export function openFields(
  layout: TableLayout,
  data: TableData,
): (column: Column, isFirst: boolean) => FieldText {
  const opened = new Map<string, FieldText>()
  return (column, isFirst) => {
    const prefix = prefixOf(column, isFirst)
    let field = opened.get(prefix)
    if (field === undefined) {
      field = fieldOf(column, prefix, layout, data)
      opened.set(prefix, field)
    }
    return field
  }
}

/** Returns the text before each value of a column, each byte of its UTF-8 as a character. */
export function prefixOf({ name }: Column, isFirst: boolean): string {
  return asBytes(`${isFirst ? '{' : ','}${JSON.stringify(name)}:`)
}

function fieldOf({ name, type }: Column, prefix: string, layout: TableLayout, data: TableData): FieldText {
  if (type === 'digest') {
    const digests = digestsOf(name, layout, data)
    return row => {
      const { bytes, start } = digests(row)
      return `${prefix}"${bytes.toString('hex', start, start + DIGEST_BYTES)}"`
    }
  }
  const coded = (codes: Codes, size: number, textOf: TextByCode): FieldText => {
    const texts = cached(size, code => prefix + textOf(code))
    return row => texts(codes[row] as number)
  }
  const dictionary = data.dictionaries.find(one => one.name === name)
  if (dictionary !== undefined) {
    const { codes, texts } = dictionary
    return coded(codes, texts.starts.length - 1, code => textBytes(texts, code).toString('latin1'))
  }
  const ordered = data.ordered.find(one => one.name === name)
  if (ordered !== undefined) {
    const { codes, values } = ordered
    return coded(codes, values.length + 1, code => orderedJson(ordered, code))
  }
  const { ordering } = data
  const texts = cached(ordering.values.length + 1, code => prefix + dateJson(ordering.values[code]))
  return row => texts(dateOfRow(ordering, row))
}

/** Returns the JSON of a date or number by its code. */
export function orderedJson({ type, values }: OrderedData, code: number): string {
  return type === 'date' ? dateJson(values[code]) : JSON.stringify(values[code] ?? null)
}

/** Returns the JSON of a date. */
export function dateJson(days: number | undefined): string {
  return days === undefined ? 'null' : `"${dayTimestamp(days)}"`
}

/** Returns the index of a row's date in `values`, or `values.length` for a row without a date. */
export function dateOfRow({ values, starts }: OrderingDate, row: number): number {
  return firstWhere(0, values.length, date => (starts[date + 1] as number) > row)
}

/** Returns where the 32 bytes of a row's digest lie. */
export function digestsOf(
  name: string,
  { columns }: TableLayout,
  { digests, prerendered }: TableData,
): (row: number) => { bytes: Buffer; start: number } {
  const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
    Buffer.from(buffer, byteOffset, byteLength)
  if (prerendered?.endsWithDigest && columns.at(-1)?.name === name) {
    const { shift, chunks } = prerendered
    const buffers = chunks.map(({ bytes }) => bufferOf(bytes))
    return row => {
      const chunk = row >>> shift
      const next = (row & (2 ** shift - 1)) + 1
      return {
        bytes: buffers[chunk] as Buffer,
        start: (chunks[chunk]?.starts[next] as number) - DIGEST_BYTES,
      }
    }
  }
  const data = digests.find(one => one.name === name)
  if (data === undefined) throw new Error(`the digests of "${name}" are missing`)
  const bytes = bufferOf(data.bytes)
  return row => ({ bytes, start: row * DIGEST_BYTES })
}
