import type { Slice } from '../load/rounds.ts'
import type { Kind, Scenario } from '../load/scenarios.ts'
import { median, type Quotient, quotient, type Spread, spread } from './statistics.ts'

/** The figures of one target in a scenario. */
export interface Figures {
  /** Requests in flight; fewer if the server refused some. */
  readonly connections: number
  /** Processor time for an answer, round by round. */
  readonly rounds: readonly number[]
  /** The same over all rounds; null if the platform does not report it. */
  readonly cpuMicros: Spread | null
  /** Medians of the rounds. */
  readonly perSecond: number
  readonly p99Ms: number
}

/** The figures of a scenario. */
export interface Measured {
  readonly name: string
  readonly kind: Kind
  readonly bare: Figures
  readonly service: Figures
  /** The bare server's processor time by the service's; null if the platform does not report it. */
  readonly ratio: Quotient | null
}

/** Sums up the slices of a scenario. */
export function sumUp(
  { name, kind }: Pick<Scenario, 'name' | 'kind'>,
  [bare = [], service = []]: readonly (readonly Slice[])[],
): Measured {
  return {
    ...{ name, kind, bare: figuresOf(bare), service: figuresOf(service) },
    ratio: compareCosts(bare, service),
  }
}

/** The cost of an answer of one server by the cost of another; null if the platform does not report it. */
export function compareCosts(over: readonly Slice[], under: readonly Slice[]): Quotient | null {
  return isKnown(over) && isKnown(under) ? quotient(costsOf(over), costsOf(under)) : null
}

export function figuresOf(slices: readonly Slice[]): Figures {
  return {
    connections: Math.min(...slices.map(({ connections }) => connections)),
    rounds: costsOf(slices),
    cpuMicros: isKnown(slices) ? spread(costsOf(slices)) : null,
    perSecond: median(slices.map(({ perSecond }) => perSecond)),
    p99Ms: median(slices.map(({ p99Ms }) => p99Ms)),
  }
}

const costsOf = (slices: readonly Slice[]) => slices.map(({ cpuMicros }) => cpuMicros)

const isKnown = (slices: readonly Slice[]) => slices.every(({ cpuMicros }) => !Number.isNaN(cpuMicros))
