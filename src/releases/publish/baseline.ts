import type { Layout } from '../../store/layout.ts'
import { DamagedReleaseError, type Release, type Store } from '../../store/store.ts'

/** The release with which a new one is compared. */
export interface Baseline {
  /** The current release if its bytes are sound, else the newest sound one before it. */
  readonly release: Release | undefined
  /** Whether that is the current release. A damaged one must be replaced even by the same records. */
  readonly isCurrent: boolean
}

/** Finds the release with which the next one is compared. */
export async function findBaseline(store: Store, dataset: string, layout: Layout): Promise<Baseline> {
  const current = await store.releases.current(dataset)
  if (current === undefined) return { release: undefined, isCurrent: false }
  const kept = await store.releases.list(dataset)
  const candidates = [current, ...kept.filter(({ number }) => number < current.number)]
  for (const release of candidates)
    if (await isSound(store, release, layout)) return { release, isCurrent: release === current }
  return { release: undefined, isCurrent: false }
}

async function isSound(store: Store, release: Release, layout: Layout): Promise<boolean> {
  try {
    const opened = await store.releases.open(release, layout)
    await opened.close()
    return true
  } catch (error) {
    if (error instanceof DamagedReleaseError) return false
    throw error
  }
}
