import type { Observation } from '../../store/store.ts'
import { parseJsonText } from './json-text.ts'
import { mapFeed } from './mapping.ts'
import { shown } from './plain-text.ts'
import { readTimeText } from './time-text.ts'

/** What an answer of the feed comes to. */
export interface Observed {
  /** Undefined where it is older than the last one, and so ignored. */
  readonly observation: Observation | undefined
  readonly warnings: readonly string[]
}

/**
 * Makes an observation of an answer. Time never goes backwards: an answer older than `last` gives none. An answer
 * whose time cannot be read counts as observed now. Throws {@link FeedError} where the answer is not usable.
 */
export function observe(
  text: string,
  context: { now: Date; timeZone: string; last: Observation | undefined },
): Observed {
  const { now, timeZone, last } = context
  const reading = mapFeed(parseJsonText(text))
  const { entries, timeText = '' } = reading
  const told = readTimeText(timeText, { now, timeZone, previous: last?.timestamp })
  const timestamp = told ?? now.toISOString()
  const warnings =
    told === undefined
      ? [...reading.warnings, `the time of the fetch counts: the feed's time ${shown(timeText)} is none`]
      : reading.warnings
  if (last === undefined || timestamp >= last.timestamp)
    return { observation: { timestamp, entries }, warnings }
  const older = `the answer is ignored: ${timestamp} is older than the last reading, ${last.timestamp}`
  return { observation: undefined, warnings: [...warnings, older] }
}
