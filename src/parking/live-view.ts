import type { Observation } from '../store/store.ts'

/** What requests see of the live feed: the last good observation, and how long it is good for. */
export interface LiveView {
  /** The last good observation; undefined before the first. It stays when the feed fails. */
  latest(): Observation | undefined
  /** Whose time {@link latest} bears; null before the first, and where it came from the store, which does not keep that. */
  timeSource(): TimeSource | null
  /** Whole seconds until the next observation may be here, at least 1: what `max-age` may promise. */
  secondsToNext(): number
  /** True where the feed is the demo's simulation. */
  readonly synthetic: boolean
  health(): FeedHealth
}

/**
 * Whose time an observation bears: the feed's own, or that of the fetch, because the feed's own cannot be read, lies in
 * the future, or lies before a timestamp that was served already.
 */
export type TimeSource = 'feed' | 'fetch'

/** What the feed's own times are like: as they should be, in the future, an hour late or set back, or no times. */
export const FEED_CLOCKS = ['ok', 'ahead', 'behind', 'unreadable'] as const

export type FeedClock = (typeof FEED_CLOCKS)[number]

/** The part of an instance among several: it asks the feed for all, another does, or each asks because they cannot agree. */
export type FeedRole = 'leading' | 'following' | 'alone'

/** How the feed fares, for the operator. Times are ISO 8601 UTC. */
export interface FeedHealth {
  /** False where no feed address is set. */
  readonly polling: boolean
  /** Since when fetching fails; null while it works. */
  readonly failingSince: string | null
  /** Why the last poll failed, in words for the operator; null while it works. */
  readonly lastError: string | null
  readonly lastGoodAt: string | null
  /** Polls that failed in a row. */
  readonly failedPolls: number
  /** Open after three failed polls in a row: until the feed is back each poll is one attempt. */
  readonly breaker: 'closed' | 'open'
  readonly clock: FeedClock
  /** Age of the last good observation by its timestamp, at least 0; null before the first. */
  readonly readingAgeSeconds: number | null
  /** Absent where the store is not shared with other instances. */
  readonly role?: FeedRole
}

/** The health of a feed that nothing has befallen yet. */
export const HEALTHY: FeedHealth = {
  polling: false,
  failingSince: null,
  lastError: null,
  lastGoodAt: null,
  failedPolls: 0,
  breaker: 'closed',
  clock: 'ok',
  readingAgeSeconds: null,
}
