import { randomUUID } from 'node:crypto'
import { openSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
