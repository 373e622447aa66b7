/** One car park's state as the feed told it. `spaces` is the number of free spaces. */
export interface LiveEntry {
  readonly name: string
  readonly code: string
  readonly spaces: number
  /** The feed's own word. */
  readonly status: string
  readonly open: boolean
}

/** What the feed told at one time: a reading of each of its car parks, in the feed's order. */
export interface Observation {
  /** The feed's own time, ISO 8601 UTC with milliseconds. */
  readonly timestamp: string
  readonly entries: readonly LiveEntry[]
}

/** One car park's count at one time, as history keeps it. What a source does not tell is null. */
export interface Reading {
  /** The feed's own time, milliseconds since 1970 UTC. */
  readonly at: number
  /** Free spaces. */
  readonly spaces: number
  readonly open: boolean | null
  /** The feed's own word. */
  readonly status: string | null
}

/** A reading with the car park that it is of. */
export interface HistoricReading extends Reading {
  readonly code: string
  readonly name: string
}

/** The readings of one car park between `from` and as much later as asked, summed up; only where there are some. */
export interface ReadingSummary {
  readonly code: string
  /** Milliseconds since 1970 UTC. */
  readonly from: number
  readonly min: number
  readonly max: number
  /** Of the free spaces of all its readings, for means. */
  readonly sum: number
  readonly count: number
  /** Free spaces of the latest reading. */
  readonly last: number
}

/** Which readings are meant: those of one car park or all, from `from` until before `to`, milliseconds since 1970 UTC. */
export interface ReadingRange {
  readonly from: number
  readonly to: number
  /** Upper and lower case are the same. */
  readonly code?: string
}

/** What is kept of one car park. Times are milliseconds since 1970 UTC. */
export interface KeptHistory {
  readonly code: string
  /** Its latest name. */
  readonly name: string
  readonly first: number
  readonly last: number
}

/** The readings of the live feed, of now and of the past. */
export interface ReadingStore {
  /** Keeps an observation. The same timestamp again replaces nothing. */
  saveObservation(observation: Observation): Promise<void>
  /** The observation with the latest timestamp. */
  latestObservation(): Promise<Observation | undefined>
  /** Keeps readings of the past, all or none; one of the same car park and time replaces nothing. Resolves to how many were new. */
  saveHistory(readings: Iterable<HistoricReading>): Promise<number>
  /** A cheap number that differs whenever history was saved by {@link saveHistory}. */
  historyRevision(): Promise<number>
  /** The car parks that have readings, by code. */
  keptHistory(): Promise<KeptHistory[]>
  /** Readings in the order of time, and at one time in the feed's order. */
  readings(range: ReadingRange): Promise<HistoricReading[]>
  /** Summaries of readings by quarters of an hour or hours of UTC, in the order of time and code. */
  summaries(range: ReadingRange, width: 'quarter' | 'hour'): Promise<ReadingSummary[]>
  /** Drops readings from before a time (milliseconds since 1970 UTC); resolves to how many. */
  dropHistory(before: number): Promise<number>
}
