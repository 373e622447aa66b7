import { crc32, createInflateRaw } from 'node:zlib'
import { cut } from '../../values/text.ts'
import { LONGEST_NAME } from '../columns.ts'
import { LARGEST_WORKBOOK, MOST_EXPANSION } from '../limits.ts'
import { Refusal } from '../source-row.ts'

/** The first bytes of a ZIP archive. */
export const ARCHIVE = Buffer.from('PK\x03\x04')

/** Whether a source is an archive by its first bytes. Throws {@link Refusal} for a sheet of any other source. */
export function isArchive(head: Buffer, sheet: string | undefined): boolean {
  const isOne = head.subarray(0, ARCHIVE.length).equals(ARCHIVE)
  if (sheet !== undefined && !isOne)
    throw new Refusal(`--sheet names "${sheet}", but the source is not a workbook; leave it out`)
  return isOne
}

const MEBIBYTE = 1 << 20

/** A ZIP archive in memory. */
export interface Archive {
  /** Unpacks a part as it is read; undefined if there is none of that name. Throws {@link Refusal} for a damaged one. */
  open(name: string): AsyncGenerator<Buffer> | undefined
}

/** Reads an archive into memory. Throws {@link Refusal} for one that is too large, packed or unpacked, or no workbook. */
export async function readArchive(chunks: AsyncIterable<Buffer>): Promise<Archive> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > LARGEST_WORKBOOK.packed)
      throw new Refusal(
        `the workbook is larger than ${LARGEST_WORKBOOK.packed / MEBIBYTE} MiB, which is the most allowed; save the sheet as CSV`,
      )
    pieces.push(chunk)
  }
  const archive = Buffer.concat(pieces, length)
  if (archive.includes('application/vnd.oasis.opendocument'))
    throw new Refusal('the source is an OpenDocument file (.ods); save it as .xlsx or CSV')
  if (!archive.includes('xl/workbook'))
    throw new Refusal('the source is a ZIP archive, but not a workbook; unpack it and import the file in it')
  const entries = readDirectory(archive)
  return {
    open(name) {
      const entry = entries.get(name)
      return entry && unpack(archive, entry)
    },
  }
}

/** The workbook cannot be read further: what is wrong with it. */
export const damaged = (what: string): Refusal =>
  new Refusal(`the workbook is damaged (${what}); fetch or save it again`)

const END = Buffer.from('PK\x05\x06')
const END_LENGTH = 22
const ENTRY = 0x02014b50
const ENTRY_LENGTH = 46
const LOCAL = 0x04034b50
const LOCAL_LENGTH = 30
const IS_ENCRYPTED = 1
const STORED = 0
const DEFLATED = 8

interface Entry {
  readonly name: string
  readonly method: number
  readonly crc: number
  readonly packed: number
  readonly unpacked: number
  readonly position: number
}

/**
 * Reads the directory of an archive (APPNOTE 4.3.12) by name. ZIP64, which only larger archives need, has the greatest size
 * there is in place of the true one.
 */
function readDirectory(archive: Buffer): ReadonlyMap<string, Entry> {
  const end = archive.lastIndexOf(END)
  if (end === -1 || end + END_LENGTH > archive.length)
    throw new Refusal('the workbook is cut off; fetch or save it again')
  const entries = new Map<string, Entry>()
  let at = archive.readUInt32LE(end + 16)
  let unpacked = 0
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (at + ENTRY_LENGTH > archive.length || archive.readUInt32LE(at) !== ENTRY)
      throw damaged('its directory is not whole')
    const [nameLength, extra, comment] = [28, 30, 32].map(place => archive.readUInt16LE(at + place))
    const name = archive.toString('utf8', at + ENTRY_LENGTH, at + ENTRY_LENGTH + Number(nameLength))
    const entry = {
      name,
      method: archive.readUInt16LE(at + 10),
      crc: archive.readUInt32LE(at + 16),
      packed: archive.readUInt32LE(at + 20),
      unpacked: archive.readUInt32LE(at + 24),
      position: archive.readUInt32LE(at + 42),
    }
    if ((archive.readUInt16LE(at + 8) & IS_ENCRYPTED) !== 0)
      throw new Refusal('the workbook is encrypted; save it without a password')
    if (entries.has(name)) throw damaged(`two of its parts have the name ${cut(name, LONGEST_NAME)}`)
    entries.set(name, entry)
    unpacked += entry.unpacked
    at += ENTRY_LENGTH + Number(nameLength) + Number(extra) + Number(comment)
  }
  if (unpacked > LARGEST_WORKBOOK.unpacked)
    throw new Refusal(
      `the workbook unpacks to more than ${LARGEST_WORKBOOK.unpacked / MEBIBYTE} MiB, which is the most allowed; save the sheet as CSV`,
    )
  return entries
}

/** Yields no more bytes than the directory promises, and checks them against it at the end. */
async function* unpack(archive: Buffer, entry: Entry): AsyncGenerator<Buffer> {
  const { name, method, position, packed, unpacked } = entry
  const { times, beyondBytes } = MOST_EXPANSION
  if (unpacked > beyondBytes && unpacked > times * packed)
    throw new Refusal(
      `the part ${name} of the workbook unpacks to more than ${times} times its size, which is the most allowed; save the sheet as CSV`,
    )
  if (position + LOCAL_LENGTH > archive.length || archive.readUInt32LE(position) !== LOCAL)
    throw damaged(`its part ${name} is not where it should be`)
  const start =
    position + LOCAL_LENGTH + archive.readUInt16LE(position + 26) + archive.readUInt16LE(position + 28)
  const content = archive.subarray(start, start + packed)
  if (method !== STORED && method !== DEFLATED) throw damaged(`its part ${name} is packed in an unusual way`)
  let bytes = 0
  let crc = 0
  for await (const chunk of method === STORED ? [content] : inflated(content, name)) {
    bytes += chunk.length
    crc = crc32(chunk, crc)
    if (bytes > unpacked) break
    yield chunk
  }
  if (bytes !== unpacked || crc !== entry.crc) throw damaged(`its part ${name} is not as its directory says`)
}

async function* inflated(content: Buffer, name: string): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: 1 << 16 })
  inflate.end(content)
  try {
    yield* inflate
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error
    throw damaged(`its part ${name} cannot be unpacked`)
  }
}
