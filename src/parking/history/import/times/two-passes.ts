import { deviation, type Moment, type Rhythm } from './moments.ts'

/** A DST overlap: its moments in the order of the clock, both passes mixed. */
export interface MixedHour {
  readonly moments: readonly Moment[]
  /** The last moment before and the first one after, by the clock of the first pass. */
  readonly before: Moment | undefined
  readonly after: Moment | undefined
  /** The shift of the clock, milliseconds. */
  readonly shift: number
  readonly rhythm: Rhythm
}

/** The most moments that are split: the work grows with the third power. */
export const MOST_MOMENTS = 400

/**
 * Splits a DST overlap into its two passes: for each moment true where it is of the second. Of all splits it takes the one
 * with the least total deviation along the moment before, the first pass, the second, and the moment after.
 *
 * Dynamic programming: moments are taken in the order of the clock, and each joins either pass. Later costs depend only on
 * the last moment of each pass, and one of those is the moment just taken: so of all splits with the same last moment of
 * the other pass only the best is kept. The end of the first pass must join the beginning of the second; hence the whole is
 * repeated for every moment that the second pass may begin with.
 */
export function splitPasses(hour: MixedHour): boolean[] {
  const links = linksOf(hour)
  const count = hour.moments.length
  let best: Split = { cost: Number.POSITIVE_INFINITY, second: [] }
  for (let begin = 0; begin <= count; begin++) {
    const split = begin === count ? allFirst(links, count) : splitAt(begin, links, count)
    if (split.cost < best.cost) best = split
  }
  return best.second
}

interface Split {
  readonly cost: number
  readonly second: boolean[]
}

/** The deviation of each step. A place of -1 is the moment before, or after. */
interface Links {
  /** From one moment to a later one in the same pass. */
  within(from: number, to: number): number
  /** From the end of the first pass to the beginning of the second. */
  over(from: number, to: number): number
  /** From the end of the last pass to the moment after; `second`: that pass is the second. */
  out(from: number, second: boolean): number
}

function linksOf({ moments, before, after, shift, rhythm }: MixedHour): Links {
  const count = moments.length
  const later = ({ time, spaces }: Moment): Moment => ({ time: time + shift, spaces })
  const step = (from: Moment | undefined, to: Moment | undefined) =>
    from === undefined || to === undefined ? 0 : deviation(from, to, rhythm)
  const table = (of: (from: number, to: number) => number) =>
    Float64Array.from({ length: (count + 1) * count }, (_, at) => of(Math.floor(at / count) - 1, at % count))
  const moment = (at: number) => (at === -1 ? before : moments[at])
  const within = table((from, to) => (from < to ? step(moment(from), moments[to]) : 0))
  const over = table((from, to) => step(moment(from), later(moments[to] as Moment)))
  const outFirst = moments.map(each => step(each, after))
  const outSecond = moments.map(each => step(later(each), after))
  return {
    within: (from, to) => within[(from + 1) * count + to] as number,
    over: (from, to) => over[(from + 1) * count + to] as number,
    out: (from, second) => (second ? outSecond : outFirst)[from] as number,
  }
}

function allFirst({ within, out }: Links, count: number): Split {
  let cost = count === 0 ? 0 : out(count - 1, false)
  for (let at = 0; at < count; at++) cost += within(at - 1, at)
  return { cost, second: Array.from({ length: count }, () => false) }
}

/** The best split whose second pass begins with the moment at `begin`. */
function splitAt(begin: number, { within, over, out }: Links, count: number): Split {
  // By the last place of the other pass, plus one: the least cost with the moment just placed in the first, in the second.
  const inFirst = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY)
  const inSecond = inFirst.slice()
  // At a change of pass from one moment to the next: the state before it.
  const fromSecond = new Int32Array(count)
  const fromFirst = new Int32Array(count)
  let soFar = 0
  for (let at = 0; at < begin; at++) soFar += within(at - 1, at)
  inSecond[begin] = soFar

  for (let at = begin + 1; at < count; at++) {
    const toFirst = least(inSecond, at, last => within(last, at))
    const toSecond = least(inFirst, at, last => within(last, at))
    const along = within(at - 1, at)
    for (let last = 0; last < at; last++) {
      inFirst[last] = (inFirst[last] as number) + along
      inSecond[last] = (inSecond[last] as number) + along
    }
    inFirst[at] = toFirst.cost
    inSecond[at] = toSecond.cost
    fromSecond[at] = toFirst.last
    fromFirst[at] = toSecond.last
  }

  const endFirst = least(inFirst, count, last => over(count - 1, begin) + out(last, true))
  const endSecond = least(inSecond, count, last => over(last, begin) + out(count - 1, true))
  const endsSecond = endSecond.cost <= endFirst.cost
  const second = Array.from({ length: count }, () => false)
  let isSecond = endsSecond
  let last = endsSecond ? endSecond.last : endFirst.last
  for (let at = count - 1; at >= begin; at--) {
    second[at] = isSecond
    if (at === begin || last !== at - 1) continue
    last = (isSecond ? fromFirst : fromSecond)[at] as number
    isSecond = !isSecond
  }
  return { cost: Math.min(endFirst.cost, endSecond.cost), second }
}

/** The least of the first costs, each with the `further` cost of its place. */
function least(
  costs: Float64Array,
  length: number,
  further: (last: number) => number,
): { cost: number; last: number } {
  let best = { cost: Number.POSITIVE_INFINITY, last: -1 }
  for (let at = 0; at <= length && at < costs.length; at++) {
    if (costs[at] === Number.POSITIVE_INFINITY) continue
    const cost = (costs[at] as number) + further(at - 1)
    if (cost < best.cost) best = { cost, last: at - 1 }
  }
  return best
}
