import type { Finding } from '../notification.ts'

interface NumberedRelease {
  readonly number: number
  readonly hash: string
}

/** Which release of a dataset is served, and the current one if that is damaged. */
export interface WatchedRelease {
  readonly damaged: NumberedRelease | null
  readonly serving: NumberedRelease | null
}

/** What is to be told of a dataset: its damaged release, until another one is served in its place. */
export function findInRelease(dataset: string, { damaged, serving }: WatchedRelease): Finding {
  const data = damaged && {
    ...{ dataset, release: damaged.number, hash: damaged.hash },
    serving: serving?.number ?? null,
  }
  return {
    lasting: data === null ? [] : [{ type: 'release.damaged', data }],
    // Another instance may serve from its memory what is damaged on the disk.
    isOver: incident =>
      incident.type === 'release.damaged' &&
      incident.data.dataset === dataset &&
      serving !== null &&
      ![damaged?.number, serving.number].includes(incident.data.release),
  }
}
