/** One car park's state as the feed published it. `spaces` is the number of free spaces. */
export interface LiveEntry {
  readonly name: string
  readonly code: string
  readonly spaces: number
  /** The feed's own term. */
  readonly status: string
  readonly open: boolean
}

/** A car park that the feed lists without a usable count. */
export type UncountedEntry = Omit<LiveEntry, 'spaces'>

/** One update of the feed: a reading of each of its car parks, in the feed's order. */
export interface Observation {
  /** The feed's own timestamp, ISO 8601 UTC with milliseconds. */
  readonly timestamp: string
  readonly entries: readonly LiveEntry[]
  /** They are not stored, since there is no count to keep. */
  readonly uncounted?: readonly UncountedEntry[]
}

/** One car park's count at one time, as history stores it. Null where the source has no value. */
export interface Reading {
  /** The feed's own timestamp, milliseconds since 1970 UTC. */
  readonly at: number
  /** Free spaces. */
  readonly spaces: number
  readonly open: boolean | null
  /** The feed's own term. */
  readonly status: string | null
}

/** A reading with its car park. */
export interface HistoricReading extends Reading {
  readonly code: string
  readonly name: string
}

/** A summary of one car park's readings in the interval that starts at `from`; intervals without readings have none. */
export interface ReadingSummary {
  readonly code: string
  /** Milliseconds since 1970 UTC. */
  readonly from: number
  readonly min: number
  readonly max: number
  /** The sum of free spaces over all readings, for means. */
  readonly sum: number
  readonly count: number
  /** Free spaces of the latest reading. */
  readonly last: number
}

/** Selects the readings of one car park or all, from `from` until before `to`, milliseconds since 1970 UTC. */
export interface ReadingRange {
  readonly from: number
  readonly to: number
  /** Case-insensitive. */
  readonly code?: string
}

/** The stored history of one car park. Times are milliseconds since 1970 UTC. */
export interface KeptHistory {
  readonly code: string
  /** Its latest name. */
  readonly name: string
  readonly first: number
  readonly last: number
}

/** How many readings there are, and of what. Times are milliseconds since 1970 UTC. */
export interface ReadingTotals {
  readonly readings: number
  readonly carParks: number
  readonly first: number
  readonly last: number
}

/** What one import added to history and is still there. */
export interface ReadingBatch extends ReadingTotals {
  readonly number: number
  /** ISO 8601 UTC. */
  readonly importedAt: string
  readonly source: string
  /** Later batches whose sources may repeat readings of this one, which were skipped there. */
  readonly repeatedBy: readonly number[]
}

/** The stored readings by where they come from. */
export interface ReadingOrigins {
  /** Newest first. */
  readonly batches: readonly ReadingBatch[]
  /** Those that the feed brought; undefined if there are none. */
  readonly feed: ReadingTotals | undefined
}

/** What was saved of past readings. */
export interface SavedHistory {
  /** The number of new readings. */
  readonly added: number
  /** The number of their batch; null if there were none. */
  readonly batch: number | null
}

/** The readings of the live feed, current and past. */
export interface ReadingStore {
  /**
   * Stores an observation. One with a timestamp that is stored already replaces nothing; its readings take the place of
   * imported ones of that time.
   */
  saveObservation(observation: Observation): Promise<void>
  /** The observation with the latest timestamp. */
  latestObservation(): Promise<Observation | undefined>
  /**
   * Stores past readings as one batch, all or none; one with a car park and time that are stored already replaces
   * nothing. `source` says where they come from. The readings may be iterated again.
   */
  saveHistory(readings: Iterable<HistoricReading>, source?: string): Promise<SavedHistory>
  /** The batches that have readings, and what the feed stored; reads all readings. */
  origins(): Promise<ReadingOrigins>
  /** Removes the readings of a batch, all or none; resolves to what it removed, undefined if there was nothing. */
  removeBatch(number: number): Promise<ReadingTotals | undefined>
  /** A number, cheap to read, that changes whenever {@link saveHistory} or {@link removeBatch} change readings. */
  historyRevision(): Promise<number>
  /** The car parks that have readings, by code. */
  keptHistory(): Promise<KeptHistory[]>
  /** Readings in the order of time, and at one time in the feed's order. */
  readings(range: ReadingRange): Promise<HistoricReading[]>
  /** Summaries of readings by quarters of an hour or hours of UTC, in the order of time and code. */
  summaries(range: ReadingRange, width: 'quarter' | 'hour'): Promise<ReadingSummary[]>
  /** Drops readings from before a time (milliseconds since 1970 UTC); resolves to their number. */
  dropHistory(before: number): Promise<number>
}
