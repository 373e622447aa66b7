import type { Readable } from 'node:stream'
import { withHead } from './bytes.ts'
import type { Encoding, SourceOptions } from './source-options.ts'
import { Refusal } from './source-row.ts'
import { decodeUtf8 } from './utf8.ts'

/** A stream of bytes that has, once the first is read, what its sender says of it. */
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

/** What cannot be read as text in any encoding, by its first bytes, in hexadecimal digits. */
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
 * Decodes the bytes of a source, as their byte order mark says, else from `encoding`. Throws {@link Refusal} for bytes
 * that the encoding does not have, rather than replacing them.
 */
export async function* decodeText(
  chunks: AsyncIterable<Buffer>,
  encoding: Encoding = 'utf-8',
): AsyncGenerator<string> {
  const { head, whole } = await withHead(chunks, LONGEST_START)
  const start = head.toString('hex')
  const [, other] = OTHERS.find(([its]) => start.startsWith(its)) ?? []
  if (other !== undefined) throw new Refusal(`the source is ${other}`)
  const [, marked = encoding] = MARKS.find(([mark]) => start.startsWith(mark)) ?? []
  if (marked === 'utf-8') yield* decodeUtf8(whole)
  // The Encoding Standard reads ISO 8859-1 as Windows-1252, which has printable characters where the other has none.
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
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    throw new Refusal(
      `on line ${line} or later the text is not ${encoding.toUpperCase()}; save the source as UTF-8, or name its encoding with --encoding`,
    )
  }
}

/** The characters of the bytes 0x80 to 0x9F; in all others Windows-1252 is ISO 8859-1. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Decodes by our own table: the decoder of some supported releases of Node takes 0x80 to 0x9F for control characters. */
async function* decodeWindows1252(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const chunk of chunks)
    yield chunk
      .toString('latin1')
      .replace(/[\x80-\x9f]/g, character => WINDOWS_1252[character.charCodeAt(0) - 0x80] ?? character)
}
