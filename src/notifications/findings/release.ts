import type { Release } from '../../store/store.ts'
import type { Finding } from '../notification.ts'

type NumberedRelease = Pick<Release, 'number' | 'hash'>

/** The release of a dataset that is served, and the current release if it is damaged. */
export interface WatchedRelease {
  readonly damaged: NumberedRelease | null
  readonly serving: NumberedRelease | null
}

/** Finds a damaged current release. The incident is over once it is no longer the current one and another is served. */
export function findInRelease(dataset: string, { damaged, serving }: WatchedRelease): Finding {
  const data = damaged && {
    dataset,
    release: damaged.number,
    hash: damaged.hash,
    serving: serving?.number ?? null,
  }
  return {
    lasting: data === null ? [] : [{ type: 'release.damaged', data }],
    // Another instance may still serve from memory a release that is damaged on disk.
    isOver: incident =>
      incident.type === 'release.damaged' &&
      incident.data.dataset === dataset &&
      serving !== null &&
      ![damaged?.number, serving.number].includes(incident.data.release),
  }
}
