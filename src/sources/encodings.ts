import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { errorCode } from '../values/system/error-code.ts'
import { lineFeeds, withHead } from './bytes.ts'
import { LONGEST_ROW, MOST_FIRST_LINES } from './limits.ts'
import type { Encoding, SourceOptions } from './source-options.ts'
import { Refusal } from './source-row.ts'

/** A stream of bytes. Once the first byte is read, `declared` has the encoding that the sender declares. */
export interface DeclaredStream extends Readable {
  declared?: Pick<SourceOptions, 'encoding'>
}

/** The encoding that a media type declares (`text/csv; charset=latin1`), if Node knows it. */
export function declaredEncoding(mediaType = ''): Pick<SourceOptions, 'encoding'> {
  const [, label] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(mediaType) ?? []
  try {
    return label === undefined ? {} : { encoding: new TextDecoder(label).encoding as Encoding }
  } catch {
    return {}
  }
}

/** Encodings by their byte order marks, in hexadecimal digits. */
const MARKS: readonly (readonly [mark: string, encoding: Encoding])[] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]

/** Files that are not text in any encoding, by their first bytes in hexadecimal digits. */
const OTHERS: readonly (readonly [start: string, reason: string])[] = [
  [
    'd0cf11e0a1b11ae1',
    'an Excel workbook that is old (.xls) or encrypted; save it as .xlsx without a password',
  ],
  ['255044462d', 'a PDF document; ask for the table that it was made from, as .xlsx or CSV'],
  ['0000270a', 'a shapefile; convert it to GeoJSON in QGIS, or with ogr2ogr'],
  ['53514c697465', 'a database of SQLite, such as a GeoPackage; export its table as CSV or GeoJSON'],
  ['50415231', 'a Parquet file; save it as CSV or JSON'],
]
const LONGEST_START = 8

/**
 * Decodes the bytes of a source by their byte order mark, else from `encoding`. Throws {@link Refusal} for bytes that
 * are invalid in the encoding, rather than replacing them.
 */
export async function* decodeText(
  chunks: AsyncIterable<Buffer>,
  encoding: Encoding = 'utf-8',
): AsyncGenerator<string> {
  const { head, whole } = await withHead(chunks, LONGEST_START)
  const start = head.toString('hex')
  const [, other] = OTHERS.find(([its]) => start.startsWith(its)) ?? []
  if (other !== undefined) throw new Refusal(`the source is ${other}`)
  const [mark = '', marked = encoding] = MARKS.find(([its]) => start.startsWith(its)) ?? []
  if (marked === 'utf-8') {
    refuseUtf16(head)
    yield* decodeUtf8(whole, mark.length / 2)
  }
  // The Encoding Standard reads ISO 8859-1 as Windows-1252, which has printable characters in place of control characters.
  else if (marked === 'windows-1252' || marked === 'iso-8859-1') yield* decodeWindows1252(whole)
  else yield* decodeByNode(marked, whole)
}

async function* decodeByNode(encoding: Encoding, chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let line = 1
  try {
    for await (const chunk of chunks) {
      const text = decoder.decode(chunk, { stream: true })
      line += text.split('\n').length - 1
      yield text
    }
    yield decoder.decode()
  } catch (error) {
    if (errorCode(error) !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    throw new Refusal(
      `on line ${line} or later the text is not ${encoding.toUpperCase()}; save the source as UTF-8, or name its encoding with --encoding`,
    )
  }
}

/** The characters of the bytes 0x80 to 0x9F; for all other bytes, Windows-1252 equals ISO 8859-1. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Decodes by our own table: some supported releases of Node decode 0x80 to 0x9F as control characters. */
async function* decodeWindows1252(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const chunk of chunks)
    yield chunk
      .toString('latin1')
      .replace(/[\x80-\x9f]/g, character => WINDOWS_1252[character.charCodeAt(0) - 0x80] ?? character)
}

/**
 * Decodes UTF-8 after the first `skip` bytes. Refuses invalid bytes with their line rather than replacing them: a
 * replaced letter is lost forever.
 */
async function* decodeUtf8(chunks: AsyncIterable<Buffer>, skip: number): AsyncGenerator<string> {
  let rest: Buffer | undefined
  let line = 1
  for await (const chunk of chunks) {
    const bytes: Buffer = rest?.length ? Buffer.concat([rest, chunk]) : chunk.subarray(rest ? 0 : skip)
    const whole = bytes.subarray(0, wholeCharacters(bytes))
    rest = bytes.subarray(whole.length)
    if (!isUtf8(whole)) refuseByte(whole, line)
    line += lineFeeds(whole)
    yield whole.toString('utf8')
  }
  // The last character is incomplete.
  if (rest?.length) refuseByte(rest, line)
}

/**
 * The number of leading bytes that hold whole characters; up to three more bytes may begin a character that the next
 * chunk completes.
 */
function wholeCharacters(bytes: Buffer): number {
  const last = Math.max(
    0,
    bytes.findLastIndex(byte => (byte & 0xc0) !== 0x80),
  )
  return bytes.length - last > 3 || isUtf8(bytes.subarray(last)) ? bytes.length : last
}

function refuseUtf16(bytes: Buffer): void {
  const [first, second] = bytes
  if (first === 0 || second === 0)
    throw new Refusal(
      `line 1 begins with the bytes ${hex(first)} ${hex(second)}, as UTF-16 text does; name it with --encoding utf-16le or utf-16be, or save it as UTF-8`,
    )
}

function refuseByte(bytes: Buffer, firstLine: number): never {
  const at = firstBadByte(bytes)
  const line = firstLine + lineFeeds(bytes.subarray(0, at))
  throw new Refusal(
    `line ${line} holds the byte ${hex(bytes[at])}, which is not UTF-8; if it is Windows-1252 text, add --encoding windows-1252, else save it as UTF-8`,
  )
}

/** The position of the first invalid byte: decoding replaces it by U+FFFD, but valid bytes may also encode U+FFFD. */
function firstBadByte(bytes: Buffer): number {
  const text = bytes.toString('utf8')
  for (let at = text.indexOf('\ufffd'); ; at = text.indexOf('\ufffd', at + 1)) {
    const place = Buffer.byteLength(text.slice(0, at))
    if (bytes.toString('hex', place, place + 3) !== 'efbfbd') return place
  }
}

const hex = (byte = 0) => `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`

/** A text whose first lines are known. */
export type BegunText = Awaited<ReturnType<typeof withFirstLines>>

/**
 * Reads the first line with text and some lines after it, or only their start if they are longer than the longest row.
 * `whole` yields all of the text. Throws {@link Refusal} for a text without such a line, and for a markup document.
 */
export async function withFirstLines(text: AsyncGenerator<string>) {
  const pieces: string[] = []
  let head = ''
  let isBegun = false
  const linesSoFar = () => head.trimStart().split(/\r\n?|\n/, MOST_FIRST_LINES + 1)
  for (let one = await text.next(); !one.done; one = await text.next()) {
    pieces.push(one.value)
    head += one.value
    isBegun ||= /\S/.test(one.value)
    // Pieces without a line break are skipped: looking at the whole head for each piece would take quadratic time.
    const mayEnd = isBegun && /[\r\n]/.test(one.value)
    if (head.length > LONGEST_ROW || (mayEnd && linesSoFar().length > MOST_FIRST_LINES)) break
  }
  const lines = linesSoFar().slice(0, MOST_FIRST_LINES)
  if (lines[0] === '')
    throw new Refusal(
      head.length > LONGEST_ROW
        ? `the source starts with more than ${LONGEST_ROW} blanks; remove the empty space before its header`
        : 'the source is empty; nothing was read from it',
    )
  refuseMarkup(head.trimStart().slice(0, MARKUP_WITHIN))
  async function* whole() {
    // One by one, since a reader holds all records of a piece in memory.
    yield* pieces
    yield* text
  }
  return { lines, whole: whole() }
}

/** A markup document names its first element within this many characters. */
const MARKUP_WITHIN = 2000

/** Markup documents, recognised by their first characters. */
const DOCUMENTS: readonly (readonly [start: RegExp, what: string])[] = [
  [
    /^<(\?xml[\s\S]*<)?(!doctype html|html|head|body|meta|style|table|div)\b/i,
    'an HTML page, which some programs save under the name .xls; open it in a spreadsheet and save it as .xlsx or CSV',
  ],
  [/<(kml|gpx)\b/i, 'a KML or GPX file; convert it to GeoJSON in QGIS, or with ogr2ogr'],
  [/<(\w+:)?Workbook\b/, 'an XML spreadsheet of Excel 2003; open it and save it as .xlsx or CSV'],
  [/^<\?xml\b/i, 'an XML document; save it as CSV, JSON or GeoJSON'],
]

function refuseMarkup(head: string): void {
  const [, what] = (head.startsWith('<') && DOCUMENTS.find(([start]) => start.test(head))) || []
  if (what !== undefined) throw new Refusal(`the source is ${what}`)
}
