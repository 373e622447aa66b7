import { DAY_MS, MINUTE_MS } from '../../../values/time-units.ts'
import { instantsOf, type LocalClock, localClock, readTime } from '../../local-clock.ts'

/** The context of a time text. */
export interface TimeTextContext {
  readonly now: Date
  /** The zone whose local time the feed writes. */
  readonly timeZone: string
  /** The time of the reading before, ISO 8601. */
  readonly previous?: string | undefined
}

/** The meaning of a time text. Instants are milliseconds since 1970 UTC. */
export interface FeedTime {
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
