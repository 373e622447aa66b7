import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { messageOf } from '../../values/system/error-code.ts'
import { cut } from '../../values/text.ts'
import { LONGEST_NAME } from '../columns.ts'
import { LARGEST_WORKBOOK, MOST_EXPANSION } from '../limits.ts'
import { Refusal } from '../source-row.ts'

const MEBIBYTE = 1 << 20

/** Unpacks a part of a ZIP archive as it is read. Throws {@link Refusal} for a damaged or missing part. */
export type OpenPart = (name: string) => AsyncGenerator<Buffer>

/** Reads an archive into memory. Throws {@link Refusal} if it is too large, packed or unpacked, or not a workbook. */
export async function readArchive(chunks: AsyncIterable<Buffer>): Promise<OpenPart> {
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
  const { zip, entries } = await readDirectory(archive).catch((error: Error) => {
    throw error instanceof Refusal ? error : damaged(error.message)
  })
  return name => {
    const entry = entries.get(name)
    if (entry === undefined) throw damaged(`its part ${name} is missing`)
    return unpack(zip, entry)
  }
}

/** The refusal of a damaged workbook; `what` names the damage. */
export const damaged = (what: string): Refusal =>
  new Refusal(`the workbook is damaged (${what}); fetch or save it again`)

/** Lists the parts by name, from the directory at the end of the archive. */
async function readDirectory(archive: Buffer) {
  const zip = await fromBufferPromise(archive)
  const entries = new Map<string, Entry>()
  let unpacked = 0
  for await (const entry of zip.eachEntry()) {
    const { fileName } = entry
    if (entry.isEncrypted()) throw new Refusal('the workbook is encrypted; save it without a password')
    // If two parts have the same name, programs differ in the choice.
    if (entries.has(fileName)) throw damaged(`two of its parts have the name ${cut(fileName, LONGEST_NAME)}`)
    entries.set(fileName, entry)
    unpacked += entry.uncompressedSize
  }
  if (unpacked > LARGEST_WORKBOOK.unpacked)
    throw new Refusal(
      `the workbook unpacks to more than ${LARGEST_WORKBOOK.unpacked / MEBIBYTE} MiB, which is the most allowed; save the sheet as CSV`,
    )
  return { zip, entries }
}

/** Yields the bytes of a part; the library throws an error if there are more or fewer bytes than the directory states. */
async function* unpack(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  const { fileName, compressedSize, uncompressedSize } = entry
  const { times, beyondBytes } = MOST_EXPANSION
  if (uncompressedSize > beyondBytes && uncompressedSize > times * compressedSize)
    throw new Refusal(
      `the part ${fileName} of the workbook unpacks to more than ${times} times its size, which is the most allowed; save the sheet as CSV`,
    )
  let sum = 0
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      sum = crc32(chunk, sum)
      yield chunk
    }
  } catch (error) {
    throw damaged(`its part ${fileName}: ${messageOf(error)}`)
  }
  if (sum !== entry.crc32) throw damaged(`its part ${fileName} has another checksum`)
}
