import type { Machine } from '../servers/machine.ts'
import type { Figures, Measured } from './measured.ts'
import type { Quotient, Spread } from './statistics.ts'

/** All that a run finds out; what is written as JSON. Figures that were not asked for are null. */
export interface Results {
  readonly machine: Machine
  readonly quick: boolean
  readonly rounds: number
  readonly seconds: number
  readonly sizes: readonly SizeResults[]
}

export interface SizeResults {
  readonly rows: number
  /** How long it took to make two releases; null if they were there. */
  readonly dataSeconds: number | null
  readonly scenarios: readonly Measured[]
  readonly halfLoad: HalfLoad | null
  readonly start: Start | null
  readonly memory: Memory | null
  readonly switching: Switching | null
  readonly logAndLimit: LogAndLimit | null
  /** The whole register as a stream in each format, JSON first. */
  readonly streams: readonly StreamFigures[] | null
}

/** The streams in one format: medians of the rounds. */
export interface StreamFigures {
  readonly format: string
  /** Length of the body. */
  readonly bytes: number
  readonly rowsPerSecond: number
  readonly bytesPerSecond: number
  /** Processor time of a row. */
  readonly cpuMicros: number
  /** Rows a second for each of JSON's in the same round. */
  readonly ratio: Spread
}

/** The uncached mix at half of what the service can carry. */
export interface HalfLoad {
  readonly perSecond: number
  readonly service: { readonly p50Ms: number; readonly p99Ms: number }
  /** The bare server at the same rate: what the measuring itself costs. */
  readonly bare: { readonly p50Ms: number; readonly p99Ms: number }
}

/** The first page of vehicles with request log and rate limit, beside the same without both. */
export interface LogAndLimit {
  readonly off: Figures
  readonly on: Figures
  /** Processor time without them for each with them; null where the platform does not say. */
  readonly ratio: Quotient | null
}

/** From the start of the process to the first answer of /v1/vehicles, in milliseconds. */
export interface Start {
  readonly best: number
  readonly median: number
  readonly times: number
}

/** Resident bytes of the settled service. */
export interface Memory {
  readonly total: number
  /** The most it had, while the table was built. */
  readonly peak: number
  /** Without vehicles. */
  readonly rest: number
  readonly bytesARow: number
}

/** Releases switched while consumers ask. */
export interface Switching {
  readonly switches: number
  readonly perSecond: number
  readonly answers: number
  readonly failed: number
  /** From a release's becoming current to the first answer from it: median and longest, in milliseconds. */
  readonly seenMs: number
  readonly seenLongestMs: number
  /** The longest time for which the event loop was held up, in milliseconds, with switches and without. */
  readonly stallMs: number
  readonly stallWithoutMs: number
  readonly p99Ms: number
}
