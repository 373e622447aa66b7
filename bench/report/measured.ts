import type { Slice } from '../load/rounds.ts'
import type { Kind, Scenario } from '../load/scenarios.ts'
import { median, type Spread, spread } from './statistics.ts'

/** The figures of one target in a scenario: medians of its slices. */
export interface Figures {
  /** Requests in flight; fewer where the server refuses some. */
  readonly connections: number
  readonly perSecond: Spread
  /** null where the platform does not say. */
  readonly cpuMicros: number | null
  readonly busy: number | null
  readonly p50Ms: number
  readonly p99Ms: number
}

/** The figures of a scenario. */
export interface Measured {
  readonly name: string
  readonly kind: Kind
  readonly bare: Figures
  readonly service: Figures
  readonly sql: Figures | null
  /** Requests a second of the service for each of the bare server in the same round. */
  readonly ratio: Spread
  /** The bare server's processor time for each of the service's; null where the platform does not say. */
  readonly cpuRatio: number | null
  /** Requests a second of the columnar table for each of SQL's in the same round. */
  readonly overSql: Spread | null
  /** True if a server had time to spare: then the requests a second are the load's limit, not the server's. */
  readonly idle: boolean
}

/** Below this a server's core was waiting for requests. */
const BUSY = 0.9

/** Sums the slices of a scenario up; `sql` has none where it was not compared. */
export function sumUp(
  { name, kind }: Scenario,
  [bare = [], service = [], sql = []]: readonly (readonly Slice[])[],
): Measured {
  const figures = { bare: figuresOf(bare), service: figuresOf(service) }
  const cpu = [figures.bare.cpuMicros, figures.service.cpuMicros] as const
  return {
    ...{ name, kind, ...figures },
    sql: sql.length === 0 ? null : figuresOf(sql),
    ratio: ratios(service, bare),
    cpuRatio: cpu[0] === null || cpu[1] === null ? null : cpu[0] / cpu[1],
    overSql: sql.length === 0 ? null : ratios(service, sql),
    idle: [figures.bare, figures.service].some(({ busy }) => busy !== null && busy < BUSY),
  }
}

function figuresOf(slices: readonly Slice[]): Figures {
  const of = (name: keyof Slice) => median(slices.map(slice => slice[name]))
  return {
    connections: Math.min(...slices.map(({ connections }) => connections)),
    perSecond: spread(slices.map(({ perSecond }) => perSecond)),
    cpuMicros: known(of('cpuMicros')),
    busy: known(of('busy')),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
  }
}

const known = (figure: number) => (Number.isNaN(figure) ? null : figure)

/** Round by round: both sides of a quotient were measured within seconds of each other. */
export const ratios = (over: readonly Slice[], under: readonly Slice[]) =>
  spread(over.map(({ perSecond }, i) => perSecond / (under[i]?.perSecond ?? Number.NaN)))
