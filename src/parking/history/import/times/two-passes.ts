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
  const splits = hour.moments.map((_, begin) => splitAt(begin, links, count))
  return passesOf([...splits, allFirst(links, count)].reduce(cheaper), count)
}

/** The best split of the first moments, given its last moment of the other pass. */
interface Split {
  cost: number
  /** The last moment of the other pass; -1 where that has none. */
  readonly other: number
  /** The pass of the last moments, the first of them, and the split of those before. */
  readonly isSecond: boolean
  readonly from: number
  readonly before: Split | undefined
}

function passesOf(split: Split, count: number): boolean[] {
  const second = Array.from({ length: count }, () => false)
  let end = count
  for (let part: Split | undefined = split; part !== undefined; part = part.before) {
    second.fill(part.isSecond, part.from, end)
    end = part.from
  }
  return second
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
  return { cost, other: -1, isSecond: false, from: 0, before: undefined }
}

/** The best split whose second pass begins with the moment at `begin`. */
function splitAt(begin: number, { within, over, out }: Links, count: number): Split {
  let cost = 0
  for (let at = 0; at < begin; at++) cost += within(at - 1, at)
  const inFirst: Split[] = []
  const inSecond: Split[] = [{ cost, other: begin - 1, isSecond: true, from: begin, before: undefined }]
  for (let at = begin + 1; at < count; at++) {
    const toFirst = least(inSecond, ({ other }) => within(other, at))
    const toSecond = least(inFirst, ({ other }) => within(other, at))
    const along = within(at - 1, at)
    for (const splits of [inFirst, inSecond]) for (const split of splits) split.cost += along
    const turn = { other: at - 1, from: at }
    if (toFirst) inFirst.push({ ...turn, cost: toFirst.cost, isSecond: false, before: toFirst.split })
    if (toSecond) inSecond.push({ ...turn, cost: toSecond.cost, isSecond: true, before: toSecond.split })
  }
  const last = count - 1
  for (const split of inSecond) split.cost += over(split.other, begin) + out(last, true)
  for (const split of inFirst) split.cost += over(last, begin) + out(split.other, true)
  return [...inSecond, ...inFirst].reduce(cheaper)
}

const cheaper = (one: Split, other: Split): Split => (other.cost < one.cost ? other : one)

/** The split with the least cost, its `further` cost included. */
function least(splits: readonly Split[], further: (split: Split) => number) {
  let best: { readonly split: Split; readonly cost: number } | undefined
  for (const split of splits) {
    const cost = split.cost + further(split)
    if (best === undefined || cost < best.cost) best = { split, cost }
  }
  return best
}
