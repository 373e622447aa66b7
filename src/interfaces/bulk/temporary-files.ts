import { createHash } from 'node:crypto'
import type { ByteRange } from '../../http/response/ranges.ts'
import type { ContentStream } from '../../http/response/representation.ts'
import { openTemporaryFile } from '../../values/system/temporary-file.ts'

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

/** Creates the temporary file. */
export function createTemporaryFiles(): TemporaryFiles {
  const file = openTemporaryFile()
  let length = 0
  return {
    remove: file.leave,
    async add(chunks) {
      const from = length
      let end = from
      const hash = createHash('sha256')
      file.share()
      try {
        for await (const chunk of chunks) {
          hash.update(chunk)
          file.write(chunk, end)
          end += chunk.length
        }
        // Where it fails, the next file takes its place.
        length = end
      } finally {
        file.leave()
      }
      return {
        bytes: end - from,
        sha256: hash.digest('hex'),
        madeAt: new Date().toISOString(),
        read(range) {
          file.share()
          return { chunks: file.read(from + range.end, from + range.start), close: file.leave }
        },
      }
    },
  }
}
