import type { LiveEntry } from '../../store/store.ts'
import type { LiveQuality } from '../routes/quality-schema.ts'

/** A car park as the stream tells it: its count, and how far that can be trusted. */
export type JudgedEntry = LiveEntry & Readonly<LiveQuality>

/** What is known of all car parks of the feed at once, in the feed's order. */
export interface LiveNow {
  /** The feed's own time, ISO 8601 UTC with milliseconds. */
  readonly timestamp: string
  readonly results: readonly JudgedEntry[]
}

/** What is known live, and word that it may have changed. */
export interface LiveEvents {
  /** What is known now; undefined before the first reading. */
  current(): LiveNow | undefined
  /**
   * Calls back whenever {@link LiveEvents.current} may have changed: with a new reading, and where a quality changes
   * with time. Gives the function that ends it.
   */
  subscribe(listener: () => void): () => void
}
