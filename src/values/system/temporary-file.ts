import { randomUUID } from 'node:crypto'
import { closeSync, openSync, read, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A temporary file that loses its name once it is open: the system removes it however the process ends. */
export type TemporaryFile = ReturnType<typeof openTemporaryFile>

/** Opens a temporary file, in the folder that TMPDIR names, for one user. */
export function openTemporaryFile(folder = tmpdir()) {
  const path = join(folder, `pds-${randomUUID()}`)
  const fd = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  let users = 1
  return {
    /** The descriptor, the same for all threads. */
    fd,
    write: (bytes: Uint8Array, at: number): void => writeAt(fd, bytes, at),
    /** Reads up to a position, by default from the start. Any number of readers may read at the same time. */
    read: (end: number, start?: number) => readPart(fd, end, start),
    /** Keeps the file open for one more user, until this user calls `leave`. */
    share(): void {
      users++
    },
    /** Ends the use by the owner or another user. The last user closes the file. */
    leave(): void {
      users--
      if (users === 0) closeSync(fd)
    },
  }
}

/** Writes all of the bytes at a position. */
export function writeAt(fd: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, null, at + done)
}

const CHUNK_BYTES = 131_072

const readInto = promisify(read)

/** Reads a chunk at a position, and nothing from `end` on. The chunk is empty at the end of the file. */
export async function readAt(fd: number, at: number, end: number): Promise<Buffer> {
  const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, end - at))
  const { bytesRead } = await readInto(fd, chunk, 0, chunk.length, at)
  return chunk.subarray(0, bytesRead)
}

/** Not a stream of Node: it would close the shared descriptor when its reader leaves. */
async function* readPart(fd: number, end: number, start = 0): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const chunk = await readAt(fd, at, end)
    if (chunk.length === 0) throw new Error('a temporary file is shorter than what was written')
    at += chunk.length
    yield chunk
  }
}
