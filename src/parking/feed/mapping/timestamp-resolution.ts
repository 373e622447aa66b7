import { HOUR_MS, MINUTE_MS } from '../../../values/time-units.ts'
import type { FeedClock } from '../feed.ts'
import type { FeedTime } from './time-text.ts'

/** The state of the feed's clock from response to response. Times are milliseconds since 1970 UTC. */
export interface ClockState {
  /** The timestamp of the last observation; never decreases. */
  readonly stamp: number
  /** The feed's own time in the last accepted response; an earlier one makes a response older. */
  readonly feedTime: number
  /** The instants that the text of the last accepted response names, future ones included. */
  readonly named: readonly number[]
  /** The state of the feed's clock at the last accepted response. */
  readonly clock: FeedClock
  /** Number of new times in a row that were about an hour old when first seen. */
  readonly hourOldInTurn: number
  /** Older responses since then: the time of the last, and how many in a row went on from the one before. */
  readonly older: number
  readonly olderInTurn: number
}

/** The part of a response that decides its timestamp. */
export interface TimedResponse {
  readonly time: FeedTime
  /** The time of the fetch. */
  readonly now: number
  /** True where its entries equal those of the last observation. */
  readonly sameEntries: boolean
}

interface Resolution {
  readonly state: ClockState
  /** `new` is an observation at `state.stamp`; `same` repeats the last one; `older` must be ignored. */
  readonly outcome: 'new' | 'same' | 'older'
}

const HOUR_OLD = { from: 55 * MINUTE_MS, to: 65 * MINUTE_MS }
/** A pattern that repeats this often is no accident. */
const IN_TURN = 3
/** A feed that is behind the last timestamp by at most this keeps it until the feed has caught up: it may be an hour. */
const CATCH_UP_MS = 2 * HOUR_MS

/** Before all times. JSON, in which instances share the state, has no infinity. */
const NEVER = Number.MIN_SAFE_INTEGER

const NONE_OLDER = { older: NEVER, olderInTurn: 0 }

/** The state at the start; `stamp` is the timestamp of the stored observation, if any. */
export function initialClockState(stamp = NEVER): ClockState {
  return { stamp, feedTime: stamp, named: [stamp], clock: 'ok', hourOldInTurn: 0, ...NONE_OLDER }
}

/** The state of the feed's clock, as far as its responses show it. */
export const feedClock = (state: ClockState): FeedClock => (state.olderInTurn > 0 ? 'behind' : state.clock)

/**
 * Resolves the timestamp of a response. It is the feed's own time, or the time of the fetch where that is unreadable or
 * in the future; it never decreases, whatever happens to either machine's clock.
 */
export function resolveTimestamp(state: ClockState, response: TimedResponse): Resolution {
  const { named, at } = response.time
  // The text of a feed that stands still may later name the other pass of the DST overlap, or leave the future.
  if (response.sameEntries && named.some(instant => state.named.includes(instant)))
    return { outcome: 'same', state: { ...state, ...NONE_OLDER } }
  if (at === undefined) return byFetch(state, response)
  if (at >= state.feedTime) return byFeed(state, response, at)
  const olderInTurn = at > state.older ? state.olderInTurn + 1 : at < state.older ? 1 : state.olderInTurn
  // An old copy does not change. A time that goes on and on is that of a working feed whose clock was set back.
  if (olderInTurn >= IN_TURN) return byFeed({ ...state, clock: 'behind' }, response, at)
  return { outcome: 'older', state: { ...state, older: at, olderInTurn } }
}

function byFetch(state: ClockState, response: TimedResponse): Resolution {
  const { named } = response.time
  const clock = named.length === 0 ? 'unreadable' : 'ahead'
  const stamp = Math.max(response.now, state.stamp)
  return resolution(state, { ...state, ...NONE_OLDER, stamp, named, clock, hourOldInTurn: 0 }, response)
}

/** The feed's time may lie before a timestamp of the fetch. Then the timestamp is kept until the feed has caught up. */
function byFeed(state: ClockState, response: TimedResponse, at: number): Resolution {
  const { now, time } = response
  const isFarBehind = at < state.stamp - CATCH_UP_MS
  const stamp = Math.max(isFarBehind ? now : at, state.stamp)
  const isHourOld = now - at >= HOUR_OLD.from && now - at <= HOUR_OLD.to
  const hourOldInTurn = at === state.feedTime ? state.hourOldInTurn : isHourOld ? state.hourOldInTurn + 1 : 0
  const isStillBehind = at < stamp && state.clock === 'behind'
  const clock = isStillBehind || hourOldInTurn >= IN_TURN ? 'behind' : 'ok'
  return resolution(
    state,
    { ...NONE_OLDER, stamp, feedTime: at, named: time.named, clock, hourOldInTurn },
    response,
  )
}

const resolution = (before: ClockState, state: ClockState, { sameEntries }: TimedResponse): Resolution => ({
  state,
  outcome: sameEntries && state.stamp === before.stamp ? 'same' : 'new',
})
