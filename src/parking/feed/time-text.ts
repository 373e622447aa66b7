import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../values/time-units.ts'
import { instantsOf, type LocalClock, localClock, readTime } from '../local-clock.ts'
import type { FeedClock } from './feed.ts'

/** The context of a time text. */
export interface TimeTextContext {
  readonly now: Date
  /** The zone whose local time the feed writes. */
  readonly timeZone: string
  /** The time of the reading before, ISO 8601. */
  readonly previous?: string | undefined
}

/** The meaning of a time text. Instants are milliseconds since 1970 UTC. */
interface FeedTime {
  /** The instants that the text names, earliest first: two for an ambiguous local time, none without a time. */
  readonly named: readonly number[]
  /** The resolved one; undefined without any, or where all lie in the future. */
  readonly at: number | undefined
}

/** How far the feed's clock may be ahead of this one. */
const SKEW_MS = 2 * MINUTE_MS
/** A date this little in the future is a difference of clocks, not the same date years ago. */
const CLOCK_FAULT_MS = 2 * DAY_MS
const MAX_LENGTH = 200

/**
 * Reads when the feed was updated (design 7, "timestamp of the feed"): the most recent such weekday and date not later
 * than now. Without an instant where the text has no time, or one that never was: in the gap of spring, or a date without
 * that weekday; `at` is undefined for times in the future as well.
 */
export function readFeedTime(text: string, context: TimeTextContext): FeedTime {
  const line = text.slice(0, MAX_LENGTH).replace(/\s+/g, ' ').trim()
  const clock = localClock(context.timeZone)
  const named = readTime(line, clock)?.instants ?? wordsInstants(line, context.now, clock)
  const latest = context.now.getTime() + SKEW_MS
  const past = named.filter(instant => instant <= latest)
  const previous = context.previous === undefined ? Number.NaN : Date.parse(context.previous)
  // An ambiguous local time has two, the earlier first.
  return { named, at: past.findLast(candidate => !(candidate < previous)) ?? past.at(-1) }
}

function wordsInstants(line: string, now: Date, clock: LocalClock): number[] {
  const words = parseTimeText(line)
  if (words === undefined) return []
  const day = latestDay(words, clock.wallTime(now.getTime() + CLOCK_FAULT_MS))
  return day === undefined ? [] : instantsOf(day + words.sinceMidnight, clock)
}

type TimeWords = NonNullable<ReturnType<typeof parseTimeText>>

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

const WORDS =
  /(?<![\d:.])(\d\d?):(\d\d)(?::(\d\d))? on ([a-z]{3,9}),? (\d\d?)(?:st|nd|rd|th)?(?: of)? ([a-z]{3,9})(?:,? (\d{4}))?(?!\w)/i

/** Finds `HH:MM:SS on <Weekday> <D> <Month>` in a line whose blanks are single; undefined if it is not there. */
function parseTimeText(line: string) {
  const [, hour, minute, second = '0', weekdayWord = '', day, monthWord = '', year] = WORDS.exec(line) ?? []
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)]
  const weekday = placeOf(weekdayWord, WEEKDAYS)
  const month = placeOf(monthWord, MONTHS)
  const exists = hours < 24 && minutes < 60 && seconds < 60 && weekday >= 0 && month >= 0
  if (!exists) return undefined
  return {
    /** Milliseconds. */
    sinceMidnight: ((hours * 60 + minutes) * 60 + seconds) * 1000,
    /** 0 is Sunday. */
    weekday,
    day: Number(day),
    /** 0 is January. */
    month,
    /** The feed leaves it out. */
    year: year === undefined ? undefined : Number(year),
  }
}

/** The place of a name by its first three or more letters; -1 where there is no such name. */
const placeOf = (word: string, names: readonly string[]): number =>
  names.findIndex(name => name.startsWith(word.toLowerCase()))

/** 29 February falls on a given weekday every 28 years, and every 40 round a century that is no leap year. */
const YEARS_BACK = 40

/** The midnight that begins the most recent date with this weekday, day and month, not later than `end`; all by the clock. */
function latestDay({ weekday, day, month, year }: TimeWords, end: number): number | undefined {
  const last = new Date(end).getUTCFullYear()
  for (let other = last; other >= last - YEARS_BACK; other--) {
    if (year !== undefined && year !== other) continue
    const date = new Date(Date.UTC(other, month, day))
    const exists = date.getUTCMonth() === month
    if (exists && date.getUTCDay() === weekday && date.getTime() <= end) return date.getTime()
  }
  return undefined
}

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
interface TimedResponse {
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
