/**
 * What the instances that share a store tell each other: that something else is current, and what the live feed said. One
 * of them asks the feed for all; the right to do so is lent for a short time and kept by asking for it again.
 */
export interface Coordination {
  /**
   * Calls back soon after another release became current, or the word on the feed or who has the right changed. Also
   * where some of that may have been missed. Gives the function that ends it.
   */
  subscribe(listener: (about: Topic) => void): () => void
  /** Whether news comes by itself now; while it does not, whoever wants to know asks often. */
  isConnected(): boolean
  /** How things stand. */
  leaseStatus(): Promise<LeaseStatus>
  /** Takes or keeps the right to ask the feed, for so long, where no other instance has it. */
  acquireLease(forMs: number): Promise<LeaseStatus>
  /** Hands the right back, if this instance has it. */
  releaseLease(): Promise<void>
  /** Leaves word for the others; gives its number, or undefined where this instance has not the right any more. */
  publish(text: string): Promise<number | undefined>
  /** The last word that was left. */
  latestMessage(): Promise<Message | undefined>
}

/** What news is about. */
export type Topic = 'releases' | 'live'

export interface LeaseStatus {
  /** Whether this instance has the right to ask the feed. */
  readonly leading: boolean
  /** Whether any has. */
  readonly led: boolean
  /** The number of the last word: another where there is another. */
  readonly number: number
}

export interface Message {
  readonly text: string
  readonly number: number
  /** How long ago it was left. */
  readonly ageMs: number
}
