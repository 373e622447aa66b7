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
  readonly start: Start | null
  readonly memory: Memory | null
  readonly switching: Switching | null
  readonly workers: Workers | null
  readonly sql: BesideSql | null
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

/** The same requests to a service of two workers and to a service of one process. */
export interface Workers {
  readonly costs: readonly {
    readonly name: string
    readonly one: Figures
    readonly two: Figures
    /** Processor time of two workers and their primary by the time of one process; null if the platform does not report it. */
    readonly ratio: Quotient | null
  }[]
  /** Bytes of the primary process and of each worker. Each has its share of memory that several processes use. */
  readonly primary: number
  readonly workers: readonly number[]
}

/** The same queries from memory and by SQL on PostgreSQL, each alone. */
export interface BesideSql {
  /** How long the import into PostgreSQL took. */
  readonly importSeconds: number
  readonly queries: readonly { readonly name: string; readonly memoryMs: number; readonly sqlMs: number }[]
}

/** Starts of the service: medians. */
export interface Start {
  readonly times: number
  /** From the start of the process to the first answer of /v1/vehicles, in milliseconds. */
  readonly answerMs: Spread
  /** Processor time from the start of the process to the first answer, and until the process is idle, in seconds. */
  readonly cpuToAnswer: number
  readonly cpuToIdle: number
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

/** The uncached mix at half of the service's capacity, first alone, then with release switches. */
export interface Switching {
  readonly switches: number
  readonly perSecond: number
  readonly answers: number
  readonly failed: number
  readonly firstFailure: string
  /** The time from a change of the current release to the first answer from it, in milliseconds. */
  readonly seenMs: Spread
  /** The longest stall of the event loop in each switch, in milliseconds, and the longest without switches. */
  readonly stallMs: Spread
  readonly stallWithoutMs: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly p50WithoutMs: number
  readonly p99WithoutMs: number
}
