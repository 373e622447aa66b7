import { open } from 'node:fs/promises'

/** Writes what the system holds of a file or folder to the disk, so that it survives a power failure. */
export async function syncFile(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
