import { statfs } from 'node:fs/promises'
import type { Disk } from '../store.ts'

/** The disk that a folder is on. */
export async function diskOf(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { folder, freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}
