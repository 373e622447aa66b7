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
  /** Not stored, because there is no count to keep. */
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

/** A summary of one car park's readings in the interval that starts at `from`. An interval without readings has no summary. */
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
  readonly code?: string | undefined
}

/** The stored history of one car park. Times are milliseconds since 1970 UTC. */
export interface KeptHistory {
  readonly code: string
  /** Its latest name. */
  readonly name: string
  readonly first: number
  readonly last: number
}

/** The number of readings and of their car parks, and the first and last time in milliseconds since 1970 UTC. */
export interface ReadingTotals {
  readonly readings: number
  readonly carParks: number
  readonly first: number
  readonly last: number
}

/** The readings that one import added to history, as far as they are still stored. */
export interface ReadingBatch extends ReadingTotals {
  readonly number: number
  /** ISO 8601 UTC. */
  readonly importedAt: string
  readonly source: string
  /** Later batches that may have skipped readings because this one has them. */
  readonly repeatedBy: readonly number[]
}

/** The stored readings by their origin. */
export interface ReadingOrigins {
  /** Newest first. */
  readonly batches: readonly ReadingBatch[]
  /** The feed's readings, or undefined. */
  readonly feed: ReadingTotals | undefined
}

/** The result of saving past readings. */
export interface SavedHistory {
  /** The number of new readings. */
  readonly added: number
  /** The batch number of the new readings; null if nothing was new. */
  readonly batch: number | null
}

/** The readings of the live feed, current and past. */
export interface ReadingStore {
  /**
   * Stores an observation. Changes nothing if an observation with its timestamp is stored. Replaces imported readings of its
   * time.
   */
  saveObservation(observation: Observation): Promise<void>
  /** The observation with the latest timestamp. */
  latestObservation(): Promise<Observation | undefined>
  /**
   * Stores past readings as one batch, all or none. Skips a reading if its car park and time are stored already. `source`
   * names the origin. The readings may be iterated more than once.
   */
  saveHistory(readings: Iterable<HistoricReading>, source?: string): Promise<SavedHistory>
  /** Totals for each batch that has readings, and for the feed. Reads all readings. */
  origins(): Promise<ReadingOrigins>
  /** Removes the readings of a batch, all or none. Resolves to the totals removed, or undefined if the batch had no readings. */
  removeBatch(number: number): Promise<ReadingTotals | undefined>
  /** A number, cheap to read, that changes whenever {@link saveHistory} or {@link removeBatch} change readings. */
  historyRevision(): Promise<number>
  /** The car parks that have readings, by code. */
  keptHistory(): Promise<KeptHistory[]>
  /** Readings by time; readings of the same time are in the feed's order. */
  readings(range: ReadingRange): Promise<HistoricReading[]>
  /** Summaries of readings by quarters of an hour or hours of UTC, sorted by time and code. */
  summaries(range: ReadingRange, width: 'quarter' | 'hour'): Promise<ReadingSummary[]>
  /** Drops readings from before a time (milliseconds since 1970 UTC); resolves to their number. */
  dropHistory(before: number): Promise<number>
}
