import type { LiveEntry, Observation } from '../../../store/store.ts'
import type { FeedClock, TimeSource } from '../../live-view.ts'
import { parseJsonText } from './json-text.ts'
import { mapFeed } from './mapping.ts'
import { shown } from './plain-text.ts'
import { readToldTime } from './time-text.ts'
import {
  feedClock,
  rememberStamp,
  type Stamped,
  stampAnswer,
  type TimeMemory,
} from './timestamp-resolution.ts'

/** What answers are compared with. */
export interface ObservingContext {
  readonly now: Date
  /** The zone of the feed's time text. */
  readonly timeZone: string
  /** The last observation. */
  readonly last?: Observation | undefined
  /** What the answers before told of time; without it nothing is known but `last`. */
  readonly memory?: TimeMemory
}

/** What an answer of the feed comes to. */
export interface Observed {
  /** Undefined where it is the last one again, or older and so ignored. */
  readonly observation: Observation | undefined
  /** Whose time the observation bears; undefined where there is none. */
  readonly timeSource: TimeSource | undefined
  readonly clock: FeedClock
  readonly warnings: readonly Warning[]
  /** Codes of entries that were dropped, as far as they can be told. */
  readonly droppedCodes: readonly string[]
  readonly memory: TimeMemory
}

/** A line for the operator. Warnings with the same fault are the same, though the numbers in their texts differ. */
export interface Warning {
  readonly fault: string
  readonly text: string
}

/**
 * Makes an observation of an answer: its entries, and the timestamp that {@link stampAnswer} gives it. Throws
 * {@link FeedError} where the answer is not usable.
 */
export function observe(text: string, context: ObservingContext): Observed {
  const { now, timeZone, last } = context
  const memory = context.memory ?? rememberStamp(last && Date.parse(last.timestamp))
  const { entries, timeText = '', warnings, droppedCodes } = mapFeed(parseJsonText(text))
  const told = readToldTime(timeText, { now, timeZone, previous: last?.timestamp })
  const sameEntries = last !== undefined && areSame(entries, last.entries)
  const stamped = stampAnswer(memory, { told, now: now.getTime(), sameEntries })
  const timestamp = new Date(stamped.memory.stamp).toISOString()
  const isNew = stamped.outcome === 'new'
  return {
    observation: isNew ? { timestamp, entries } : undefined,
    timeSource: isNew ? stamped.source : undefined,
    clock: feedClock(stamped.memory),
    warnings: [...warnings.map(asWarning), ...timeWarnings(stamped, shown(timeText))],
    droppedCodes,
    memory: stamped.memory,
  }
}

function areSame(entries: readonly LiveEntry[], others: readonly LiveEntry[]): boolean {
  const text = (list: readonly LiveEntry[]) =>
    JSON.stringify(list.map(({ name, code, spaces, status, open }) => [name, code, spaces, status, open]))
  return text(entries) === text(others)
}

/** A count that is wrong in another way each minute is one fault, and so is an entry that changes its place. */
const asWarning = (text: string): Warning => ({
  fault: text.replace(/^entry \d+/, 'entry').replace(/ is -?\d[\d.e+]*/, ' is a number'),
  text,
})

function timeWarnings({ outcome, memory }: Stamped, words: string): Warning[] {
  if (outcome === 'older') {
    const kept = new Date(memory.stamp).toISOString()
    return [
      { fault: 'older', text: `the answer is ignored: ${words} is older than the last reading, ${kept}` },
    ]
  }
  const text = CLOCK_WARNINGS[memory.clock]?.(words)
  return text === undefined ? [] : [{ fault: memory.clock, text }]
}

const CLOCK_WARNINGS: Partial<Record<FeedClock, (words: string) => string>> = {
  unreadable: words => `the time of the fetch counts: the feed's time ${words} is none`,
  ahead: words => `the time of the fetch counts: the feed's time ${words} lies in the future`,
  behind: words => `the feed's clock seems to be behind this machine's, as by summer time: it tells ${words}`,
}
