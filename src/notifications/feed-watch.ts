import type { Notification } from './notification.ts'

/** The part of the feed's health that decides what is told of it. */
export interface WatchedFeed {
  /** ISO 8601 UTC; null while polls succeed. */
  readonly failingSince: string | null
  readonly lastError: string | null
  /** Absent where no other instance shares the feed. */
  readonly role?: 'leading' | 'following' | 'alone'
}

const UNAVAILABLE_MS = 15 * 60_000

/**
 * Returns a function that takes the feed's health from time to time and gives what the operator is to be told: once that
 * it has failed for a quarter of an hour, and once that it works again. An instance that follows another one tells nothing,
 * but may go on where that one stopped.
 */
export function watchFeed() {
  let failingSince: string | undefined
  let isTold = false

  return ({ failingSince: since, lastError, role }: WatchedFeed, now: Date): Notification[] => {
    const isFollowing = role === 'following'
    if (since === null) {
      const ended = failingSince
      failingSince = undefined
      isTold = false
      return ended === undefined || isFollowing ? [] : [{ type: 'feed.recovered', data: { since: ended } }]
    }
    if (now.getTime() - Date.parse(since) < UNAVAILABLE_MS) return []
    failingSince = since
    if (isTold || isFollowing) return []
    isTold = true
    return [{ type: 'feed.unavailable', data: { since, reason: lastError ?? 'it fails' } }]
  }
}
