import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Opens a temporary file that has no name from the moment it is open: the system removes it however the process ends.
 */
export async function openNameless(folder = tmpdir()): Promise<FileHandle> {
  const path = join(folder, `pds-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}
