import { randomUUID } from 'node:crypto'
import { openSync, read, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Opens a temporary file that has no name from the moment it is open: the system removes it however the process ends.
 * Returns its descriptor.
 */
export function openNameless(folder = tmpdir()): number {
  const path = join(folder, `pds-${randomUUID()}`)
  const fd = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  return fd
}

const CHUNK_BYTES = 131_072

const readAt = promisify(read)

/** Reads an open file up to a position, by default from its start; any number of readers may do so at once. */
export async function* readNameless(fd: number, end: number, start = 0): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, end - at))
    const { bytesRead } = await readAt(fd, chunk, 0, chunk.length, at)
    if (bytesRead === 0) throw new Error('a temporary file is shorter than what was written')
    at += bytesRead
    yield chunk.subarray(0, bytesRead)
  }
}
