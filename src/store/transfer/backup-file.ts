import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline as join } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { errorCode } from '../../values/system/error-code.ts'
import { removeLeftovers, writeWhole } from '../atomic-file.ts'
import { DamagedBackupError } from '../store.ts'
import { LONGEST_LINE } from './backup-format.ts'

/** Larger chunks than the default: they halve the time of unpacking. */
const CHUNK_BYTES = 1 << 18
/** The default, level 6, takes 50 % more time for a file that is 7 % smaller. */
const LEVEL = 3

export interface WriteOptions {
  /** Replaces an existing file. Without this, an existing file throws an error with the code EEXIST. */
  readonly replace?: boolean | undefined
  /** Once aborted, its reason is thrown and no file is written. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Writes lines to a backup file. The file gets its name only once it is whole and on the disk. Resolves to the number of
 * bytes.
 */
export async function writeBackup(
  lines: AsyncIterable<Buffer>,
  path: string,
  { replace = false, signal }: WriteOptions = {},
): Promise<number> {
  await removeLeftovers(path)
  let bytes = 0
  try {
    await writeWhole(path, replace, async temporary => {
      const file = createWriteStream(temporary, { flags: 'wx', flush: true })
      await pipeline(lines, createGzip({ level: LEVEL, chunkSize: CHUNK_BYTES }), file)
      signal?.throwIfAborted()
      bytes = file.bytesWritten
    })
    return bytes
  } catch (error) {
    // The system's errors name the temporary file, or no file.
    throw error instanceof Error && 'syscall' in error ? Object.assign(error, { path }) : error
  }
}

/** Opens a backup file. Its lines throw {@link DamagedBackupError} without the number of the line, which the reader adds. */
export async function openBackup(path: string) {
  const { size } = await stat(path)
  const file = createReadStream(path)
  const content = join(file, createGunzip({ chunkSize: CHUNK_BYTES }), () => {})
  return {
    bytesTotal: size,
    bytesRead: () => file.bytesRead,
    lines: splitLines(content),
    close: () => void content.destroy(),
  }
}

const LINE_FEED = 0x0a

/** Splits bytes into lines, each with its line feed. Keeps no part of a line that is too long. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of chunks)
      for (let start = 0; start < chunk.length; ) {
        const end = chunk.indexOf(LINE_FEED, start) + 1
        const piece = chunk.subarray(start, end || chunk.length)
        start += piece.length
        length += piece.length
        if (length > LONGEST_LINE)
          throw new DamagedBackupError(`it has more than ${LONGEST_LINE} bytes, so the file was altered`)
        pieces.push(piece)
        if (end === 0) continue
        yield pieces.length === 1 ? piece : Buffer.concat(pieces)
        pieces = []
        length = 0
      }
  } catch (error) {
    throw explained(error)
  }
  if (length > 0) yield Buffer.concat(pieces)
}

/** Maps errors of unpacking; errors of the file itself stay as they are. */
function explained(error: unknown): unknown {
  const code = errorCode(error)
  if (!(error instanceof Error) || code === undefined) return error
  if (code === 'Z_BUF_ERROR') return new DamagedBackupError('the file is cut off here')
  if (error.message === 'incorrect header check')
    return new DamagedBackupError('it is not gzip, so the file is no backup')
  return code.startsWith('Z_') ? new DamagedBackupError(`the file was altered (${error.message})`) : error
}
