import type { Finding } from '../notification.ts'

/** The disk that a folder is on. */
export interface WatchedDisk {
  readonly folder: string
  readonly freeBytes: number
  readonly totalBytes: number
}

/** The disk is nearly full below the smaller limit. The incident is over once a fifth more than this limit is free. */
const LEAST_SHARE = 0.05
const LEAST_BYTES = 500 * 1024 ** 2
const ENOUGH_AGAIN = 1.2

/** Finds out whether a disk is nearly full. */
export function findOnDisk({ folder, freeBytes, totalBytes }: WatchedDisk, now: Date): Finding {
  const least = Math.min(LEAST_SHARE * totalBytes, LEAST_BYTES)
  const data = { folder, since: now.toISOString(), freeBytes, totalBytes }
  return {
    lasting: freeBytes < least ? [{ type: 'disk.nearly-full', data }] : [],
    isOver: incident =>
      incident.type === 'disk.nearly-full' &&
      incident.data.folder === folder &&
      freeBytes >= ENOUGH_AGAIN * least,
  }
}
