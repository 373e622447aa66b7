import {
  DEEP_PAGE_UNCACHED,
  FIRST_PAGE_UNCACHED,
  isBoundedCount,
  LIST_UNLOGGED,
  MIX_UNCACHED,
  PAGE_UNLOGGED,
} from '../load/scenarios.ts'
import type { Machine } from '../servers/machine.ts'
import type { Measured } from './measured.ts'
import { ratioText, short, whole } from './numbers.ts'
import type { SizeResults } from './results.ts'

/** One target, with its result. */
export interface Target {
  readonly what: string
  readonly met: boolean
  readonly figure: string
}

const ISLAND = 131_000
const MILLION = 1_000_000
const TEN_MILLION = 10_000_000
/** The most scenarios that are named for missing a target, the worst first. */
const NAMED = 5

/**
 * The greatest figure that meets a target, at a number of rows (at any, if undefined). `of` gives null or undefined if the
 * figure was not measured, NaN if the platform does not report it.
 */
type Limit = readonly [rows: number | undefined, what: string, most: number, unit: string, of: FigureOf]
type FigureOf = (size: SizeResults) => number | null | undefined

const startMs: FigureOf = ({ start }) => start?.answerMs.median
const longestStallMs: FigureOf = ({ switching }) => switching?.stallMs.max
const deepPage: FigureOf = size => costOf(size, DEEP_PAGE_UNCACHED) / costOf(size, FIRST_PAGE_UNCACHED)
const largestWorkerMb: FigureOf = ({ workers }) => workers && Math.max(...workers.workers) / 1e6
const dearestOfTwo: FigureOf = ({ workers }) =>
  workers && Math.max(...workers.costs.map(({ ratio }) => ratio?.ofLeast ?? Number.NaN))

const LIMITS: readonly Limit[] = [
  [MILLION, 'start to first answer', 1500, 'ms', startMs],
  [TEN_MILLION, 'start to first answer', 5000, 'ms', startMs],
  [ISLAND, 'CPU of a start until idle', 1.5, 's', ({ start }) => start?.cpuToIdle],
  [MILLION, 'memory a row', 350, 'bytes', ({ memory }) => memory?.bytesARow],
  [TEN_MILLION, 'memory at its peak', 2048, 'MiB', ({ memory }) => memory && memory.peak / 2 ** 20],
  [ISLAND, 'p99 of the uncached mix at half load', 5, 'ms', ({ switching }) => switching?.p99WithoutMs],
  [undefined, 'p99 at half load with release switches', 30, 'ms', ({ switching }) => switching?.p99Ms],
  [undefined, 'requests lost in release switches', 0, '', ({ switching }) => switching?.failed],
  [undefined, 'event-loop stall in a release switch', 20, 'ms', longestStallMs],
  [MILLION, 'time until a new release is seen', 1000, 'ms', ({ switching }) => switching?.seenMs.median],
  [undefined, 'CPU of page 4,000, by page 1,', 1.2, '', deepPage],
  [undefined, 'CPU of a request with two workers, by one process,', 1.08, '', dearestOfTwo],
  [ISLAND, 'memory of a second worker', 170, 'MB', largestWorkerMb],
]

/** Compares the results with the project's targets. Leaves out targets without a figure. */
export function checkTargets(results: {
  readonly machine: Pick<Machine, 'node'>
  readonly sizes: readonly SizeResults[]
}): Target[] {
  const { machine, sizes } = results
  // Node 24 has its own target, because it starts faster.
  const most = Number.parseInt(machine.node.slice(1), 10) >= 24 ? 600 : 900
  const ofNode: Limit = [ISLAND, `start to first answer with Node ${machine.node}`, most, 'ms', startMs]
  return [
    ...sizes.flatMap(size => [
      ...shares(size),
      ...[ofNode, ...LIMITS].flatMap(each => checkLimit(each, size)),
    ]),
    ...growth(sizes),
  ]
}

function checkLimit([rows, what, most, unit, of]: Limit, size: SizeResults): Target[] {
  const figure = of(size)
  if ((rows ?? size.rows) !== size.rows || typeof figure !== 'number' || Number.isNaN(figure)) return []
  const aim = `${what} at ${whole(size.rows)} rows at most ${short(most)} ${unit}`
  return [{ what: aim.trim(), met: figure <= most, figure: `${short(figure)} ${unit}`.trim() }]
}

/** The targets as lines of text. */
export function describeTargets(targets: readonly Target[]): string {
  const lines = targets.map(({ what, met, figure }) => `- ${met ? 'met   ' : 'MISSED'} ${what}: ${figure}`)
  const missed = targets.filter(({ met }) => !met).length
  return [`## Targets: ${targets.length - missed} met, ${missed} missed`, '', ...lines].join('\n')
}

/** The targets of the scenarios. */
function shares({ rows, scenarios }: SizeResults): Target[] {
  const at = `of the bare server at ${whole(rows)} rows`
  const named = (wanted: string) => scenarios.filter(({ name }) => name === wanted)
  return [
    ...least(
      `ready answers, ${at}`,
      0.78,
      scenarios.filter(({ kind }) => kind === 'ready'),
    ),
    ...least(`30 vehicles without request log, ${at}`, 0.86, named(PAGE_UNLOGGED)),
    ...least(`a list without request log, ${at}`, 0.85, named(LIST_UNLOGGED)),
    ...(rows === ISLAND ? least(`uncached mix, ${at}`, 0.3, named(MIX_UNCACHED)) : []),
    ...(rows === ISLAND
      ? least(`makes and colors with date bounds, ${at}`, 0.3, scenarios.filter(isBoundedCount))
      : []),
  ]
}

/** A target for several scenarios. Names the worst one, or those that miss, and counts how many meet the target. */
function least(what: string, aim: number, all: readonly Measured[]): Target[] {
  const scenarios = all.filter(({ ratio }) => ratio !== null)
  const sorted = scenarios.toSorted((a, b) => shareOf(a) - shareOf(b))
  const [worst] = sorted
  if (worst === undefined) return []
  const missing = sorted.filter(scenario => shareOf(scenario) < aim)
  const named = (missing.length > 0 ? missing.slice(0, NAMED) : [worst]).map(
    scenario => `${scenario.name} ${ratioText(shareOf(scenario))}`,
  )
  const count = scenarios.length > 1 ? `${scenarios.length - missing.length} of ${scenarios.length}; ` : ''
  return [
    {
      what: `${what} at least ${aim}`,
      met: missing.length === 0,
      figure: `${count}${named.join(', ')}${missing.length > NAMED ? ' …' : ''}`,
    },
  ]
}

const shareOf = ({ ratio }: Measured) => ratio?.ofLeast ?? Number.NaN

/** The service's cost of an answer; NaN if it is unknown. */
const costOf = ({ scenarios }: SizeResults, wanted: string) =>
  scenarios.find(({ name }) => name === wanted)?.service.cpuMicros?.min ?? Number.NaN

/** From each size to the next, the cost may grow threefold for ten times the rows. */
function growth(sizes: readonly SizeResults[]): Target[] {
  return sizes.slice(1).flatMap((size, i) => {
    const before = sizes[i] ?? size
    const grown = size.rows / before.rows
    const what = `CPU of the uncached mix, by the same at ${whole(before.rows)} rows,`
    const of = () => costOf(size, MIX_UNCACHED) / costOf(before, MIX_UNCACHED)
    // Threefold for tenfold, and less if the rows grow less.
    return checkLimit([undefined, what, grown ** Math.log10(3), '', of], size)
  })
}
