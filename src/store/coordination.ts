/**
 * Coordinates the instances that share a store: they notify each other of releases and of the live feed, and one of
 * them holds the lease to poll the feed for all, which it renews by acquiring it again.
 */
export interface Coordination {
  /**
   * Calls back soon after another release became current, or the feed's message or the lease holder changed; also after
   * an interruption that may have lost notifications. Returns the function that unsubscribes.
   */
  subscribe(listener: (about: Topic) => void): () => void
  /** Whether notifications arrive now; while they do not, subscribers must poll. */
  isConnected(): boolean
  /** The current lease and message. */
  leaseStatus(): Promise<LeaseStatus>
  /** Acquires or renews the lease for `forMs` unless another instance holds it. */
  acquireLease(forMs: number): Promise<LeaseStatus>
  /** Releases the lease, if this instance holds it. */
  releaseLease(): Promise<void>
  /** Publishes a message; resolves to its number, or to undefined where this instance no longer holds the lease. */
  publish(text: string): Promise<number | undefined>
  /** The message published last. */
  latestMessage(): Promise<Message | undefined>
}

/** What a notification is about. */
export type Topic = 'releases' | 'live'

export interface LeaseStatus {
  /** Whether this instance holds the lease. */
  readonly leading: boolean
  /** Whether any instance does. */
  readonly led: boolean
  /** The number of the latest message. */
  readonly number: number
}

export interface Message {
  readonly text: string
  readonly number: number
  /** How long ago it was published. */
  readonly ageMs: number
}
