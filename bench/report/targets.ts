import { DEEP_PAGE_UNCACHED, FIRST_PAGE_UNCACHED, isBoundedCount, MIX_UNCACHED } from '../load/scenarios.ts'
import type { Measured } from './measured.ts'
import { ratioText, short, whole } from './numbers.ts'
import type { Results, SizeResults } from './results.ts'

/** One target, with its result. */
export interface Target {
  readonly what: string
  readonly met: boolean
  readonly figure: string
}

const ISLAND = 131_000
const MILLION = 1_000_000
/** The most scenarios that are named for missing a target, the worst first. */
const NAMED = 5

const TEN_MILLION = 10_000_000

/** Compares the results with the project's targets. Leaves out targets without a figure. */
export function checkTargets({ sizes }: Pick<Results, 'sizes'>): Target[] {
  return [...sizes.flatMap(targetsOfSize), ...growth(sizes)]
}

/** The targets as lines of text. */
export function describeTargets(targets: readonly Target[]): string {
  const lines = targets.map(({ what, met, figure }) => `- ${met ? 'met   ' : 'MISSED'} ${what}: ${figure}`)
  const missed = targets.filter(({ met }) => !met).length
  return [`## Targets: ${targets.length - missed} met, ${missed} missed`, '', ...lines].join('\n')
}

function targetsOfSize(size: SizeResults): Target[] {
  const { rows, scenarios, halfLoad, start, memory, switching, logAndLimit } = size
  const at = `at ${whole(rows)} rows`
  const mix = scenarios.find(({ name }) => name === MIX_UNCACHED)
  const targets: Target[] = [
    ...least(
      `ready answers, of the bare server ${at}`,
      0.85,
      scenarios.filter(({ kind }) => kind === 'ready'),
    ),
    ...deepPage(scenarios, at),
  ]
  if (rows === ISLAND) {
    targets.push(
      ...least(`uncached mix, of the bare server ${at}`, 0.3, mix === undefined ? [] : [mix]),
      ...least(
        `makes and colors with date bounds, of the bare server ${at}`,
        0.3,
        scenarios.filter(isBoundedCount),
      ),
    )
    if (halfLoad !== null)
      targets.push(below(`p99 of the uncached mix at half load ${at}`, 5, halfLoad.service.p99Ms, 'ms'))
    if (logAndLimit?.ratio)
      targets.push(
        atLeast(
          `vehicles with request log and rate limit, of the same without ${at}`,
          0.8,
          logAndLimit.ratio.ofLeast,
        ),
      )
    if (start !== null) targets.push(below(`start to first answer ${at}`, 1300, start.median, 'ms'))
  }
  if (memory !== null && rows === MILLION)
    targets.push(below(`memory a row ${at}`, 350, memory.bytesARow, 'bytes'))
  if (memory !== null && rows === TEN_MILLION)
    targets.push(below(`memory in all, at its peak, ${at}`, 2048, memory.peak / 2 ** 20, 'MiB'))
  if (switching !== null)
    targets.push(
      {
        what: `no request lost in a release switch ${at}`,
        met: switching.failed === 0,
        figure: `${switching.failed} of ${whole(switching.answers)}`,
      },
      below(`event-loop stall in a release switch ${at}`, 40, switching.stallMs, 'ms'),
      below(`p99 at half load with release switches ${at}`, 100, switching.p99Ms, 'ms'),
    )
  return targets
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

/** The server's cost of an answer. */
const costOf = (scenario: Measured | undefined) => scenario?.service.cpuMicros?.min ?? Number.NaN

function deepPage(scenarios: readonly Measured[], at: string): Target[] {
  const first = scenarios.find(({ name }) => name === FIRST_PAGE_UNCACHED)
  const deep = scenarios.find(({ name }) => name === DEEP_PAGE_UNCACHED)
  const times = costOf(deep) / costOf(first)
  if (Number.isNaN(times)) return []
  return [
    { what: `page 4,000 costs at most 1.2 times page 1 ${at}`, met: times <= 1.2, figure: short(times) },
  ]
}

/** From each size to the next, the cost may grow threefold for ten times the rows. */
function growth(sizes: readonly SizeResults[]): Target[] {
  return sizes.slice(1).flatMap((size, i) => {
    const before = sizes[i]
    const [small, large] = [before, size].map(each =>
      each?.scenarios.find(({ name }) => name === MIX_UNCACHED),
    )
    const times = costOf(large) / costOf(small)
    if (before === undefined || Number.isNaN(times)) return []
    // Threefold for tenfold, and less if the rows grow less.
    const allowed = (size.rows / before.rows) ** Math.log10(3)
    const grown = `${short(size.rows / before.rows)} times the rows (${whole(before.rows)} to ${whole(size.rows)})`
    return [
      {
        what: `uncached mix on ${grown} costs at most ${short(allowed)} times as much`,
        met: times <= allowed,
        figure: short(times),
      },
    ]
  })
}

function atLeast(what: string, aim: number, figure: number): Target {
  return { what: `${what} at least ${aim}`, met: figure >= aim, figure: short(figure) }
}

function below(what: string, aim: number, figure: number, unit: string): Target {
  return {
    what: `${what} below ${whole(aim)} ${unit}`,
    met: figure < aim,
    figure: `${short(figure)} ${unit}`,
  }
}
