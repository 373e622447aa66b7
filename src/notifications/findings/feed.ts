import { MINUTE_MS } from '../../values/time-units.ts'
import type { Finding } from '../notification.ts'

/** The part of the feed's health that decides about notifications. Times are ISO 8601 UTC. */
export interface WatchedFeed {
  /** Null while polls succeed. */
  readonly failingSince: string | null
  readonly lastError: string | null
  /** After a start, the time of the stored observation. */
  readonly lastGoodAt: string | null
  /** Absent if no other instance shares the feed. */
  readonly role?: 'leading' | 'following' | 'alone' | undefined
}

const UNAVAILABLE_MS = 15 * MINUTE_MS

/**
 * Finds out whether the feed has failed for a quarter of an hour. An instance that follows another one reports nothing.
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
