/** Grants leases to the instances that share a store. Some tasks are for one instance: the holder of the task's lease. */
export interface Leases {
  /** Acquires or renews a lease for `forMs`, or as long as the process runs, unless another instance holds it. */
  acquireLease(lease: Lease, forMs: number): Promise<LeaseStatus>
  /** Releases a lease, if this instance holds it. */
  releaseLease(lease: Lease): Promise<void>
}

/**
 * Coordinates the instances that share a store. Instances notify each other of releases and of the live feed. The holder of a
 * lease renews it by acquiring it again.
 */
export interface Coordination extends Leases {
  /**
   * Calls back soon after another release became current, or the feed's message or the lease holder changed; also after
   * an interruption that may have lost notifications. Returns the function that unsubscribes.
   */
  subscribe(listener: (about: Topic) => void): () => void
  /** Whether notifications arrive now. Subscribers must poll while this is false. */
  isConnected(): boolean
  /** The current state of a lease. */
  leaseStatus(lease: Lease): Promise<LeaseStatus>
  /**
   * Publishes a message about the feed. Resolves to its number, or to undefined if this instance no longer holds the
   * feed's lease.
   */
  publish(text: string): Promise<number | undefined>
  /** The message published last. */
  latestMessage(): Promise<Message | undefined>
}

/** The task that a lease is for: to poll the live feed, or to follow the sources. */
export type Lease = 'feed' | 'sources'

/** The subject of a notification. */
export type Topic = 'releases' | 'live'

export interface LeaseStatus {
  /** Whether this instance holds the lease. */
  readonly leading: boolean
  /** Whether any instance holds the lease. */
  readonly led: boolean
  /** The number of the latest message; 0 where instances share no messages. */
  readonly number: number
}

export interface Message {
  readonly text: string
  readonly number: number
  /** How long ago it was published. */
  readonly ageMs: number
}
