import type { TableLayout } from '../../query/layout.ts'
import type { PrerenderedRows, Texts } from '../indexes/table-data.ts'
import { prefixOf } from './fields.ts'
import { DIGEST_BYTES, type RenderRows } from './texts.ts'

/** Renders rows by copying their JSON. */
export function renderPrerendered(
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
