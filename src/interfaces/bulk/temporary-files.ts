import { createHash } from 'node:crypto'
import { closeSync, read, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import type { ByteRange } from '../../http/response/ranges.ts'
import type { ContentStream } from '../../http/response/representation.ts'
import { openNameless } from '../../values/temporary-file.ts'

/** A file in one format. */
export interface BulkFile {
  readonly bytes: number
  /** In hexadecimal digits. */
  readonly sha256: string
  /** ISO 8601 UTC. */
  readonly madeAt: string
  /** Reads a part of it, even if it is removed meanwhile. */
  read(range: ByteRange): ContentStream
}

/** Several files in one temporary one, which goes with the process and takes one descriptor. */
export interface TemporaryFiles {
  add(chunks: AsyncIterable<Uint8Array>): Promise<BulkFile>
  /** Removes the files once nobody reads them. */
  remove(): void
}

const READ_BYTES = 131_072
const readFrom = promisify(read)

/** Creates the temporary file, in the folder that TMPDIR names. */
export function createTemporaryFiles(): TemporaryFiles {
  const fd = openNameless()
  let length = 0
  /** Those who read, and the owner until it removes the files. */
  let users = 1
  const leave = () => {
    users--
    if (users === 0) closeSync(fd)
  }

  return {
    remove: leave,
    async add(chunks) {
      const from = length
      let end = from
      const hash = createHash('sha256')
      users++
      try {
        for await (const chunk of chunks) {
          hash.update(chunk)
          for (let done = 0; done < chunk.length; ) done += writeSync(fd, chunk, done, null, end + done)
          end += chunk.length
        }
        // Where it fails, the next file takes its place.
        length = end
      } finally {
        leave()
      }
      return {
        bytes: end - from,
        sha256: hash.digest('hex'),
        madeAt: new Date().toISOString(),
        read(range) {
          users++
          const chunks = readPart(fd, { start: from + range.start, end: from + range.end })
          return { chunks, close: leave }
        },
      }
    },
  }
}

/** Reads a part of a file. A stream of Node would close the descriptor, which others use, when its reader leaves. */
async function* readPart(fd: number, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const part = Buffer.allocUnsafe(Math.min(READ_BYTES, end - at))
    const { bytesRead } = await readFrom(fd, part, 0, part.length, at)
    if (bytesRead === 0) throw new Error('a temporary file is shorter than it was')
    yield part.subarray(0, bytesRead)
    at += bytesRead
  }
}
