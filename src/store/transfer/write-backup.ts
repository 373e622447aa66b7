import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { syncFile } from '../sync-file.ts'
import { putInPlace, removeLeftovers, temporaryPath } from './atomic-file.ts'
import { backupLines, marker } from './backup-lines.ts'
import type { Dump } from './dump.ts'
import type { Carried, CarryOptions } from './tally.ts'

/** A backup file that was written or verified. */
export interface Backup extends Carried, Readonly<Dump['header']> {
  readonly bytes: number
  /** Of its content, as its last line has it. */
  readonly sha256: string
}

export interface WriteOptions extends CarryOptions {
  /** Replaces the file if it is there; else an error with the code EEXIST is thrown. */
  readonly replace?: boolean | undefined
}

/**
 * Writes a dump to a file, which is there under its name only once it is whole and on the disk. A damaged release is left
 * out and returned as missing.
 */
export async function writeBackup(dump: Dump, path: string, options: WriteOptions = {}): Promise<Backup> {
  await removeLeftovers(path)
  const temporary = temporaryPath(path)
  let written: (Carried & Pick<Backup, 'sha256'>) | undefined
  async function* content(): AsyncGenerator<Buffer> {
    const hash = createHash('sha256')
    const lines = backupLines(dump, options)
    for (;;) {
      const { value, done } = await lines.next()
      if (done) {
        const sha256 = hash.digest('hex')
        written = { ...value, sha256 }
        return yield marker({ sha256 })
      }
      hash.update(value)
      yield value
    }
  }
  const file = createWriteStream(temporary, { flags: 'wx' })
  try {
    await pipeline(content, createGzip(), file)
    if (written === undefined) throw new Error('the backup was not written to its end')
    await syncFile(temporary, 'r+')
    options.signal?.throwIfAborted()
    await putInPlace(temporary, path, options.replace ?? false)
    return { ...dump.header, ...written, bytes: file.bytesWritten }
  } catch (error) {
    await rm(temporary, { force: true })
    // The system's errors name the temporary file, or none.
    throw error instanceof Error && 'syscall' in error ? Object.assign(error, { path }) : error
  }
}
