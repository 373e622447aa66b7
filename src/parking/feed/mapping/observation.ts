import { isDeepStrictEqual } from 'node:util'
import type { Observation } from '../../../store/store.ts'
import type { FeedClock } from '../feed.ts'
import { shown } from './entry.ts'
import { mapFeed, parseJsonText } from './mapping.ts'
import { readFeedTime } from './time-text.ts'
import { type ClockState, initialClockState, resolveTimestamp } from './timestamp-resolution.ts'

/** The state that a response is compared with. */
export interface ObservationContext {
  readonly now: Date
  /** The zone of the feed's time text. */
  readonly timeZone: string
  /** The last observation. */
  readonly last?: Observation | undefined
  /** The clock state after the last response; by default it is derived from `last`. */
  readonly clockState?: ClockState
}

/** A line for the operator. Warnings with the same fault count as one, though the numbers in their texts differ. */
export interface FeedWarning {
  readonly fault: string
  readonly text: string
}

/**
 * Turns the text of a response into an observation: its entries, and the timestamp of {@link resolveTimestamp}. Throws
 * {@link FetchError} if the response is unusable.
 */
export function observe(text: string, context: ObservationContext) {
  const { now, timeZone, last } = context
  const before = context.clockState ?? initialClockState(last && Date.parse(last.timestamp))
  const { entries, uncounted, timeText = '', warnings, droppedCodes } = mapFeed(parseJsonText(text))
  const time = readFeedTime(timeText, { now, timeZone, previous: last?.timestamp })
  // A stored observation has no list of uncounted car parks: an empty list would make it differ.
  const read = uncounted.length === 0 ? { entries } : { entries, uncounted }
  const sameEntries = last !== undefined && areSame(read, last)
  const { outcome, state: clockState } = resolveTimestamp(before, { time, now: now.getTime(), sameEntries })
  const timestamp = new Date(clockState.stamp).toISOString()
  const observation: Observation | undefined = outcome === 'new' ? { timestamp, ...read } : undefined
  const timeFault = outcome === 'older' ? outcome : clockState.clock
  return {
    /** Undefined if the response repeats the last one, or is older and ignored. */
    observation,
    warnings: [...warnings.map(asWarning), ...timeWarnings(timeFault, shown(timeText), timestamp)],
    /** Codes of dropped entries, as far as they are readable. */
    droppedCodes,
    clockState,
  }
}

type Entries = Pick<Observation, 'entries' | 'uncounted'>

const areSame = (some: Entries, others: Entries): boolean =>
  isDeepStrictEqual(some.entries, others.entries) &&
  isDeepStrictEqual(some.uncounted ?? [], others.uncounted ?? [])

/** The fault is the text without its numbers: another count or position in the list is not another fault. */
const asWarning = (text: string): FeedWarning => ({
  fault: text.replace(/^entry \d+/, 'entry').replace(/ is -?\d[\d.e+]*/, ' is a number'),
  text,
})

type TimeFault = FeedClock | 'older'

function timeWarnings(fault: TimeFault, words: string, last: string): FeedWarning[] {
  const text = TIME_WARNINGS[fault]?.(words, last)
  return text === undefined ? [] : [{ fault, text }]
}

/** By fault; `last` is the time of the last reading. */
const TIME_WARNINGS: Partial<Record<TimeFault, (words: string, last: string) => string>> = {
  older: (words, last) => `the response is ignored: ${words} is older than the last reading, ${last}`,
  unreadable: words => `the time of the fetch is used: the feed's time ${words} is not a time`,
  ahead: words => `the time of the fetch is used: the feed's time ${words} lies in the future`,
  behind: words =>
    `the feed's clock seems to be behind this machine's (it may ignore summer time): it shows ${words}`,
}
