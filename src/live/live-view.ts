import type { Observation } from '../store/store.ts'

/** What requests see of the live feed: the last good observation, and how long it is good for. */
export interface LiveView {
  /** The last good observation; undefined before the first. It stays when the feed fails. */
  latest(): Observation | undefined
  /** Whole seconds until the next observation may be here, at least 1: what `max-age` may promise. */
  secondsToNext(): number
  /** True where the feed is the demo's simulation. */
  readonly synthetic: boolean
  health(): FeedHealth
}

/** How the feed fares, for the operator. Times are ISO 8601 UTC. */
export interface FeedHealth {
  /** False where no feed address is set. */
  readonly polling: boolean
  /** Since when fetching fails; null while it works. */
  readonly failingSince: string | null
  /** Why the last poll failed, in words for the operator; null while it works. */
  readonly lastError: string | null
  readonly lastGoodAt: string | null
}
