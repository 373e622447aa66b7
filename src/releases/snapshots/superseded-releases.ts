import { totalmem } from 'node:os'
import type { Release, ReleaseStore } from '../../store/store.ts'
import { HOUR_MS } from '../../values/time-units.ts'
import type { Importable } from '../import/importable.ts'
import type { Snapshot } from './snapshot.ts'

/** A release is reopened for this long after it was superseded. */
const REOPENED_MS = HOUR_MS

/** A release in memory that takes more than this share of it is not held twice. */
const MOST_OF_MEMORY = 1 / 4

/** The memory of this process: that of the machine, or the limit of its container. */
function memoryBytes(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/**
 * Returns the function that reopens releases of one dataset that are current no longer, for readers that began before. It
 * gives undefined for one that was superseded too long ago, takes too much memory, or is not kept any more.
 * Releases are opened from the store, so that every instance has them, also after a restart. One is open at a time, for all
 * who read it, and for an hour at most: between two pages nobody refers to it. A reader keeps what it has begun to read.
 */
export function reopenSuperseded(options: {
  readonly dataset: Pick<Importable, 'name' | 'layout'>
  readonly store: { readonly releases: Pick<ReleaseStore, 'list'> }
  readonly now: () => Date
  readonly load: (release: Release) => Promise<Snapshot>
  readonly memory?: number
}): (number: number, hash: string) => Promise<Snapshot | undefined> {
  const { dataset, store, now, load, memory = memoryBytes() } = options
  let opened: { readonly number: number; readonly snapshot: Promise<Snapshot> } | undefined

  async function find(number: number, hash: string): Promise<Release | undefined> {
    const releases = await store.releases.list(dataset.name)
    const found = releases.find(release => release.number === number && release.hash.startsWith(hash))
    if (found === undefined) return undefined
    // The releases are listed newest first; one that was rolled back was superseded when the current one became current.
    const next = releases[releases.indexOf(found) - 1]?.publishedAt
    const current = releases.find(({ currentSince }) => currentSince !== null)
    const since = current !== undefined && current.number < number ? current.currentSince : next
    const isRecent = since == null || now().getTime() - Date.parse(since) <= REOPENED_MS
    return isRecent ? found : undefined
  }

  function close(number: number): void {
    if (opened?.number === number) opened = undefined
  }

  return async (number, hash) => {
    const release = await find(number, hash)
    if (release === undefined || (release.bytes ?? 0) > memory * MOST_OF_MEMORY) return undefined
    if (opened?.number !== number) {
      const snapshot = load(release)
      opened = { number, snapshot }
      snapshot.catch(() => close(number))
      setTimeout(close, REOPENED_MS, number).unref()
    }
    return opened.snapshot
  }
}
