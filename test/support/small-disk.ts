import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface SmallDisk {
  readonly folder: string
  remove(): Promise<void>
}

/** Why a test that needs a small disk is skipped, and what would let it run. */
export const NO_SMALL_DISK = 'no small disk can be mounted here: it takes Linux and root (mount -t tmpfs)'

/** Mounts a disk of so many MiB; undefined where this user or system cannot. */
export async function mountSmallDisk(mebibytes: number): Promise<SmallDisk | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'pds-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'pds-test', folder])
  } catch {
    await rm(folder, { recursive: true })
    return undefined
  }
  return {
    folder,
    async remove() {
      await run('umount', ['-l', folder])
      await rm(folder, { recursive: true })
    },
  }
}
