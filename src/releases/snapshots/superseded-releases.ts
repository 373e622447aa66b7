import type { Release, ReleaseStore } from '../../store/store.ts'
import type { Importable } from '../import/importable.ts'
import type { Lease, LeasedRelease, Leases } from './leases.ts'
import type { Snapshot } from './snapshot.ts'

/** A release is reopened for this long after it was superseded. */
const REOPENED_MS = 3_600_000

/** Reopens releases of one dataset that are current no longer, for readers that began before. */
export interface SupersededReleases {
  /** A lease on the release; undefined where it was superseded too long ago, or the store keeps it no longer. */
  acquire(number: number, hash: string): Promise<Lease | undefined>
}

/**
 * Opens superseded releases from the store, so that every instance has them, also after a restart. Each stays open as long as
 * its leases allow.
 */
export function reopenSuperseded(options: {
  readonly dataset: Pick<Importable, 'name' | 'layout'>
  readonly store: { readonly releases: Pick<ReleaseStore, 'list'> }
  readonly leases: Leases
  readonly now: () => Date
  readonly load: (release: Release) => Promise<{ snapshot: Snapshot; close: () => Promise<void> }>
}): SupersededReleases {
  const { dataset, store, leases, now, load } = options
  const opened = new Map<number, Promise<LeasedRelease>>()

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

  async function open(release: Release): Promise<LeasedRelease> {
    const { snapshot, close } = await load(release)
    const added = leases.add(snapshot, close)
    // Held until the bounds of leases revoke it: between two pages no reader holds one.
    const own = added.acquire()
    own.signal.addEventListener('abort', () => opened.delete(release.number))
    added.supersede()
    return added
  }

  return {
    async acquire(number, hash) {
      const release = await find(number, hash)
      if (release === undefined) return undefined
      let opening = opened.get(number)
      if (opening === undefined) {
        opening = open(release)
        opened.set(number, opening)
        opening.catch(() => opened.delete(number))
      }
      return (await opening).acquire()
    },
  }
}
