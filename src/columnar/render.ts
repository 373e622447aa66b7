import { type Column, columnOf, type TableLayout } from '../query/layout.ts'
import { dayTimestamp } from '../values/day-number.ts'
import { firstWhere } from './row-set.ts'
import type { Codes, OrderedData, OrderingDate, PrerenderedRows, TableData, Texts } from './table-data.ts'

/** Opens the renderers of a table: of whole rows, or of some fields. Throws RangeError for a field that is missing. */
export function openRows(layout: TableLayout, data: TableData): (fields?: readonly string[]) => RenderRows {
  const { columns } = layout
  const field = openFields(layout, data)
  const assemble = (names: readonly string[]): RenderRows => {
    const chosen = columns.filter(({ name }) => names.includes(name))
    const fields = chosen.map((column, i) => field(column, i === 0))
    return (rows, before, after, separator = ',') => {
      let text = asBytes(before)
      for (let i = 0; i < rows.length; i++) {
        text += i === 0 ? '' : separator
        for (let at = 0; at < fields.length; at++)
          text += (fields[at] as (row: number) => string)(rows[i] as number)
        text += '}'
      }
      return Buffer.from(text + asBytes(after), 'latin1')
    }
  }
  const whole =
    data.prerendered === undefined
      ? assemble(columns.map(({ name }) => name))
      : renderPrerendered(layout, data.prerendered)
  return names => {
    if (names === undefined) return whole
    for (const name of names) columnOf(layout, name)
    return assemble(names)
  }
}

/** Returns a row's JSON of one column, with the field's name and the punctuation before it; bytes as characters. */
type FieldText = (row: number) => string

/** Opens the fields to assemble rows from. A row is its concatenated fields with a closing brace. */
function openFields(layout: TableLayout, data: TableData): (column: Column, isFirst: boolean) => FieldText {
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

/** Renders rows as JSON between two texts, joined by commas or another character. */
export type RenderRows = (rows: Uint32Array, before: string, after: string, separator?: string) => Buffer

/** The size of a SHA-256. */
export const DIGEST_BYTES = 32

/** Encodes texts in UTF-8, one after another. */
export function packTexts(texts: readonly string[]): Texts {
  const bytes = Buffer.from(texts.join(''))
  const starts = new Uint32Array(texts.length + 1)
  let end = 0
  for (const [i, text] of texts.entries()) {
    end += Buffer.byteLength(text)
    starts[i + 1] = end
  }
  return { bytes: new Uint8Array(bytes), starts }
}

/** Returns the text of a code. */
type TextByCode = (code: number) => string

/** Returns the bytes of a text. */
function textBytes({ bytes, starts }: Texts, code: number): Buffer {
  const start = starts[code] as number
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, (starts[code + 1] as number) - start)
}

/** Returns the strings of a dictionary, whose texts are JSON. */
export function valuesOf(texts: Texts): TextByCode {
  return cached(texts.starts.length - 1, code => String(JSON.parse(textBytes(texts, code).toString())))
}

/**
 * Returns the UTF-8 bytes of a text as the characters of a string: strings of single-byte characters are joined and
 * written fastest.
 */
function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** Larger dictionaries are not cached as strings. */
const MAX_CACHED = 1 << 17

/** Caches the texts of codes below `size`, each from its first use. */
export function cached(size: number, textOf: TextByCode): TextByCode {
  if (size > MAX_CACHED) return textOf
  let texts: (string | undefined)[] | undefined
  return code => {
    texts ??= new Array(size).fill(undefined)
    texts[code] ??= textOf(code)
    return texts[code]
  }
}

/** Renders rows by copying their JSON. */
function renderPrerendered(
  layout: TableLayout,
  { shift, chunks, endsWithDigest }: PrerenderedRows,
): RenderRows {
  const mask = 2 ** shift - 1
  const last = layout.columns.at(-1)
  const digestStart =
    endsWithDigest && last !== undefined
      ? Buffer.from(`${prefixOf(last, layout.columns.length === 1)}"`, 'latin1')
      : undefined
  const ending =
    '},'.length + (digestStart === undefined ? 0 : digestStart.length + DIGEST_BYTES + '"'.length)

  function sizeOf(rows: Uint32Array): number {
    let size = rows.length * ending
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number
      const { starts } = chunks[row >>> shift] as Texts
      size += (starts[(row & mask) + 1] as number) - (starts[row & mask] as number)
    }
    return size
  }

  return (rows, before, after, separator = ',') => {
    const start = Buffer.byteLength(before)
    const end = start + Math.max(0, sizeOf(rows) - 1)
    // One separator too many: the text after the rows overwrites it.
    const json = Buffer.allocUnsafe(Math.max(end + 1, end + Buffer.byteLength(after)))
    json.write(before)
    const between = separator.charCodeAt(0)
    let at = start
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number
      const { bytes, starts } = chunks[row >>> shift] as Texts
      const from = starts[row & mask] as number
      const to = starts[(row & mask) + 1] as number
      const length = digestStart === undefined ? to - from : to - from - DIGEST_BYTES
      json.set(new Uint8Array(bytes.buffer, from, length), at)
      at += length
      if (digestStart !== undefined) {
        for (let byte = 0; byte < digestStart.length; byte++) json[at++] = digestStart[byte] as number
        at = writeHex(bytes, to - DIGEST_BYTES, to, json, at)
        json[at++] = QUOTE
      }
      json[at++] = BRACE
      json[at++] = between
    }
    json.write(after, end)
    return json.subarray(0, end + Buffer.byteLength(after))
  }
}

const QUOTE = 0x22
const BRACE = 0x7d
const HEX = Buffer.from('0123456789abcdef')

/** Writes bytes as hexadecimal digits and returns the position after them. */
function writeHex(bytes: Uint8Array, from: number, to: number, json: Uint8Array, start: number): number {
  let at = start
  for (let i = from; i < to; i++) {
    const byte = bytes[i] as number
    json[at++] = HEX[byte >>> 4] as number
    json[at++] = HEX[byte & 15] as number
  }
  return at
}
