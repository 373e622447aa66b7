import type { FeedClock, TimeSource } from '../../live-view.ts'
import type { ToldTime } from './time-text.ts'

/** What is remembered of the feed's times from answer to answer. Times are milliseconds since 1970 UTC. */
export interface TimeMemory {
  /** The timestamp of the last observation; never decreases. */
  readonly stamp: number
  /** The feed's own time in the last answer that counted, by which the next is older or not. */
  readonly told: number
  /** What the text of the last answer that counted names, be it in the future. */
  readonly named: readonly number[]
  /** How the feed's clock was in the last answer that counted. */
  readonly clock: FeedClock
  /** How many new times in turn were about an hour old when they were first seen. */
  readonly hourOldInTurn: number
  /** Answers since then that are older: the last one's time, and how many in turn went on from the one before. */
  readonly older: number
  readonly olderInTurn: number
}

/** An answer of the feed, as far as its time goes. */
export interface TimedAnswer {
  readonly told: ToldTime
  /** When it was fetched. */
  readonly now: number
  /** True where its entries are those of the last observation. */
  readonly sameEntries: boolean
}

/** `new` is an observation at `memory.stamp`; `same` is the last one again; `older` is to be ignored. */
export type Stamped = { readonly memory: TimeMemory } & (
  | { readonly outcome: 'new'; readonly source: TimeSource }
  | { readonly outcome: 'same' | 'older' }
)

const MINUTE_MS = 60_000
const HOUR_OLD = { from: 55 * MINUTE_MS, to: 65 * MINUTE_MS }
/** After so many in turn something is no accident. */
const IN_TURN = 3
/** A feed that is behind the last timestamp by no more than this is waited for: it may be an hour. */
const WAITED_FOR_MS = 120 * MINUTE_MS

const NONE_OLDER = { older: Number.NEGATIVE_INFINITY, olderInTurn: 0 }

/** The memory at the start; `stamp` is the timestamp of the observation that the store kept, if any. */
export function rememberStamp(stamp = Number.NEGATIVE_INFINITY): TimeMemory {
  return { stamp, told: stamp, named: [stamp], clock: 'ok', hourOldInTurn: 0, ...NONE_OLDER }
}

/** How the feed's clock is, as far as its answers tell. */
export const feedClock = (memory: TimeMemory): FeedClock => (memory.olderInTurn > 0 ? 'behind' : memory.clock)

/**
 * Decides which timestamp an answer gets. It is the feed's own time; the time of the fetch where that is none or lies in
 * the future; and never earlier than the one before, whatever either machine's clock does.
 */
export function stampAnswer(memory: TimeMemory, answer: TimedAnswer): Stamped {
  const { named, at } = answer.told
  // Where a feed stands still its text may later be taken for the other hour in autumn, or be in the future no more.
  if (answer.sameEntries && named.some(instant => memory.named.includes(instant)))
    return { outcome: 'same', memory: { ...memory, ...NONE_OLDER } }
  if (at === undefined) return byFetch(memory, answer)
  if (at >= memory.told) return byFeed(memory, answer, at)
  const olderInTurn = at > memory.older ? memory.olderInTurn + 1 : at < memory.older ? 1 : memory.olderInTurn
  // An old copy stays what it is. A time that goes on and on is that of a feed at work whose clock was set back.
  if (olderInTurn >= IN_TURN) return byFeed({ ...memory, clock: 'behind' }, answer, at)
  return { outcome: 'older', memory: { ...memory, older: at, olderInTurn } }
}

function byFetch(memory: TimeMemory, answer: TimedAnswer): Stamped {
  const { named } = answer.told
  const clock = named.length === 0 ? 'unreadable' : 'ahead'
  const stamp = Math.max(answer.now, memory.stamp)
  return outcome(memory, { ...memory, ...NONE_OLDER, stamp, named, clock, hourOldInTurn: 0 }, 'fetch', answer)
}

/** The feed's time may lie before a timestamp that was the fetch's: that one is kept until the feed has caught up. */
function byFeed(memory: TimeMemory, answer: TimedAnswer, at: number): Stamped {
  const { now, told } = answer
  const isFarBehind = at < memory.stamp - WAITED_FOR_MS
  const stamp = Math.max(isFarBehind ? now : at, memory.stamp)
  const isHourOld = now - at >= HOUR_OLD.from && now - at <= HOUR_OLD.to
  const hourOldInTurn = at === memory.told ? memory.hourOldInTurn : isHourOld ? memory.hourOldInTurn + 1 : 0
  const isStillBehind = at < stamp && memory.clock === 'behind'
  const clock = isStillBehind || hourOldInTurn >= IN_TURN ? 'behind' : 'ok'
  const next = { ...NONE_OLDER, stamp, told: at, named: told.named, clock, hourOldInTurn } as const
  return outcome(memory, next, at === stamp ? 'feed' : 'fetch', answer)
}

const outcome = (
  before: TimeMemory,
  memory: TimeMemory,
  source: TimeSource,
  { sameEntries }: TimedAnswer,
): Stamped =>
  sameEntries && memory.stamp === before.stamp
    ? { outcome: 'same', memory }
    : { outcome: 'new', memory, source }
