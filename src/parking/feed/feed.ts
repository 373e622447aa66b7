import type { Observation } from '../../store/store.ts'

/** Callbacks of a feed. */
export interface FeedListener {
  /**
   * Called once with each new observation and with the stored one, synchronously, before any request sees it and before
   * it is saved. Timestamps never decrease, but repeat where the feed changes its counts alone. An error is logged.
   */
  readonly onObservation?: ((observation: Observation) => void) | undefined
  /** Called each time an observation has been saved. */
  readonly onSaved?: (() => void) | undefined
  /** Called where observations of other instances may have been missed, or own ones may not be in the store. */
  readonly onMissed?: (() => void) | undefined
}

/** The states of the feed's clock: right, in the future, an hour late or set back, or without readable times. */
export const FEED_CLOCKS = ['ok', 'ahead', 'behind', 'unreadable'] as const

export type FeedClock = (typeof FEED_CLOCKS)[number]

/** The role of an instance: it polls for all, follows another one that polls, or polls alone as it cannot reach the others. */
export type FeedRole = 'leading' | 'following' | 'alone'

/** The health of the feed, for the operator. Times are ISO 8601 UTC. */
export interface FeedHealth {
  /** False without a feed address. */
  readonly polling: boolean
  /** The time of the first failed poll in a row; null while polls succeed. */
  readonly failingSince: string | null
  /** The reason of the last failure, for the operator; null while polls succeed. */
  readonly lastError: string | null
  readonly lastGoodAt: string | null
  /** Number of polls that failed in a row. */
  readonly failedPolls: number
  /** Open after three failed polls in a row: until the feed is back each poll makes one attempt. */
  readonly breaker: 'closed' | 'open'
  readonly clock: FeedClock
  /** Age of the last good observation by its timestamp, at least 0; null before the first. */
  readonly readingAgeSeconds: number | null
  /** Undefined where the store is not shared with other instances. */
  readonly role: FeedRole | undefined
}

/** The health of a feed before its first poll. */
export const HEALTHY: FeedHealth = {
  polling: false,
  failingSince: null,
  lastError: null,
  lastGoodAt: null,
  failedPolls: 0,
  breaker: 'closed',
  clock: 'ok',
  readingAgeSeconds: null,
  role: undefined,
}
