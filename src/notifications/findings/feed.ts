import { MINUTE_MS } from '../../values/time-units.ts'
import type { Finding } from '../notification.ts'

/** The part of the feed's health that decides what is told of it. Times are ISO 8601 UTC. */
export interface WatchedFeed {
  /** Null while polls succeed. */
  readonly failingSince: string | null
  readonly lastError: string | null
  /** At the start the time of the stored observation. */
  readonly lastGoodAt: string | null
  /** Absent where no other instance shares the feed. */
  readonly role?: 'leading' | 'following' | 'alone'
}

const UNAVAILABLE_MS = 15 * MINUTE_MS

/**
 * What is to be told of the feed: that it has failed for a quarter of an hour. An instance that follows another one tells
 * nothing.
 */
export function findInFeed({ failingSince, lastError, lastGoodAt, role }: WatchedFeed, now: Date): Finding {
  if (role === 'following') return { lasting: [], isOver: () => false }
  const isUnavailable = failingSince !== null && now.getTime() - Date.parse(failingSince) >= UNAVAILABLE_MS
  return {
    lasting: isUnavailable
      ? [{ type: 'feed.unavailable', data: { since: failingSince, reason: lastError ?? 'it fails' } }]
      : [],
    isOver: ({ type, data }) =>
      type === 'feed.unavailable' && failingSince === null && lastGoodAt !== null && lastGoodAt > data.since,
  }
}
