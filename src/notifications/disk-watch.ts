import type { Notification } from './notification.ts'

/** The disk that a folder is on. */
export interface WatchedDisk {
  readonly folder: string
  readonly freeBytes: number
  readonly totalBytes: number
}

/** The disk is nearly full below the smaller of the two, and no longer once a fifth more than that is free. */
const LEAST_SHARE = 0.05
const LEAST_BYTES = 500 * 1024 ** 2
const ENOUGH_AGAIN = 1.2

/** Returns a function that takes the state of a disk from time to time and tells once that it is nearly full. */
export function watchDisk() {
  let since: string | undefined

  return ({ folder, freeBytes, totalBytes }: WatchedDisk, now: Date): Notification[] => {
    const least = Math.min(LEAST_SHARE * totalBytes, LEAST_BYTES)
    if (freeBytes >= ENOUGH_AGAIN * least) since = undefined
    if (freeBytes >= least || since !== undefined) return []
    since = now.toISOString()
    return [{ type: 'disk.nearly-full', data: { folder, since, freeBytes, totalBytes } }]
  }
}
