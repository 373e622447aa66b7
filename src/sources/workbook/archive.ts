import { LARGEST_WORKBOOK } from '../limits.ts'
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

/** Reads an archive into memory. Throws {@link Refusal} for one that is too large, packed or unpacked, or no workbook. */
export async function readArchive(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
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
  checkSizes(archive)
  return archive
}

const END = Buffer.from('PK\x05\x06')
const END_LENGTH = 22
const ENTRY = 0x02014b50
const ENTRY_LENGTH = 46
const HAS_DESCRIPTOR = 1 << 3

/**
 * Checks the sizes in the directory of an archive (APPNOTE 4.3.12), by which its reader bounds what it unpacks. ZIP64,
 * which only larger archives need, has the greatest size there is in place of the true one.
 */
function checkSizes(archive: Buffer): void {
  const end = archive.lastIndexOf(END)
  if (end === -1 || end + END_LENGTH > archive.length)
    throw new Refusal('the workbook is cut off; fetch or save it again')
  let at = archive.readUInt32LE(end + 16)
  let unpacked = 0
  for (let entries = archive.readUInt16LE(end + 10); entries > 0; entries--) {
    if (at + ENTRY_LENGTH > archive.length || archive.readUInt32LE(at) !== ENTRY)
      throw new Refusal('the workbook is damaged; save it again')
    const size = archive.readUInt32LE(at + 24)
    // The reader takes a size that is left open from elsewhere, or has no bound for it.
    const hasContent =
      archive.readUInt32LE(at + 20) > 0 || (archive.readUInt16LE(at + 8) & HAS_DESCRIPTOR) !== 0
    if (size === 0 && hasContent)
      throw new Refusal('the workbook does not say how large its parts are; save it again')
    unpacked += size
    const names = [28, 30, 32].reduce((sum, place) => sum + archive.readUInt16LE(at + place), 0)
    at += ENTRY_LENGTH + names
  }
  if (unpacked > LARGEST_WORKBOOK.unpacked)
    throw new Refusal(
      `the workbook unpacks to more than ${LARGEST_WORKBOOK.unpacked / MEBIBYTE} MiB, which is the most allowed; save the sheet as CSV`,
    )
}
