import type { Machine } from '../servers/machine.ts'
import type { Figures, Measured } from './measured.ts'
import type { Quotient, Spread } from './statistics.ts'

/** All results of a run, as written as JSON. Unwanted figures are null. */
export interface Results {
  readonly machine: Machine
  readonly quick: boolean
  readonly rounds: number
  readonly seconds: number
  readonly sizes: readonly SizeResults[]
}

export interface SizeResults {
  readonly rows: number
  /** How long it took to make two releases; null if they already existed. */
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
  /** The length of the body. */
  readonly bytes: number
  readonly rowsPerSecond: number
  readonly bytesPerSecond: number
  /** Processor time of a row. */
  readonly cpuMicros: number
  /** Rows a second by JSON's rows a second in the same round. */
  readonly ratio: Spread
}

/** The uncached mix at half of the service's capacity. */
export interface HalfLoad {
  readonly perSecond: number
  readonly service: { readonly p50Ms: number; readonly p99Ms: number }
  /** The bare server at the same rate: the cost of measuring. */
  readonly bare: { readonly p50Ms: number; readonly p99Ms: number }
}

/** The first page of vehicles with request log and rate limit, and without both. */
export interface LogAndLimit {
  readonly off: Figures
  readonly on: Figures
  /** Processor time without them by the time with them; null if the platform does not report it. */
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
  /** The peak, while the table was built. */
  readonly peak: number
  /** Resident bytes without vehicles. */
  readonly rest: number
  readonly bytesARow: number
}

/** Release switches under load. */
export interface Switching {
  readonly switches: number
  readonly perSecond: number
  readonly answers: number
  readonly failed: number
  /** The time from a change of the current release to the first answer from it: median and longest, in milliseconds. */
  readonly seenMs: number
  readonly seenLongestMs: number
  /** The longest stall of the event loop, in milliseconds, with switches and without. */
  readonly stallMs: number
  readonly stallWithoutMs: number
  readonly p99Ms: number
}
