import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The name has the process that the folder belongs to. */
const NAME = /^pds-(\d+)-/

/** Makes a folder, in the one that TMPDIR names, for this process to remove at its end. Removes those of killed processes. */
export function makeTemporaryFolder(): string {
  const root = tmpdir()
  for (const name of readdirSync(root)) {
    const owner = Number(NAME.exec(name)?.[1])
    // After the restart of a container, this process has the number of the one before it.
    const isLeft = owner === process.pid || (owner > 0 && !isRunning(owner))
    if (isLeft) removeFolder(join(root, name))
  }
  return mkdtempSync(join(root, `pds-${process.pid}-`))
}

/** The ending of a file that a process is writing: the process's number, and `.part`. */
export const PART = /\.(\d+)\.part$/

/** Removes the parts of a process that has ended: nobody will finish them. */
export function removePartsOf(pid: number | undefined, folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : []
  for (const name of names) if (PART.exec(name)?.[1] === String(pid)) rmSync(join(folder, name))
}

/** Whether a process of this number runs. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process may not be signalled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Removes a folder, unless it belongs to another user. */
export function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {}
}
