import type { Notification } from './notification.ts'

interface NumberedRelease {
  readonly number: number
  readonly hash: string
}

/** Which release of a dataset is served, and the current one if that is damaged. */
export interface WatchedRelease {
  readonly damaged: NumberedRelease | null
  readonly serving: NumberedRelease | null
}

/** Returns a function that takes a dataset's state from time to time and tells once of each damaged release. */
export function watchRelease(dataset: string) {
  let told: string | undefined

  return ({ damaged, serving }: WatchedRelease): Notification[] => {
    const before = told
    told = damaged?.hash
    if (damaged === null || damaged.hash === before) return []
    const { number: release, hash } = damaged
    return [{ type: 'release.damaged', data: { dataset, release, hash, serving: serving?.number ?? null } }]
  }
}
