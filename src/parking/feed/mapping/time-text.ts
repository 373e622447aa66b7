import { Temporal } from 'temporal-polyfill'
import { DAY_MS, MINUTE_MS } from '../../../values/time-units.ts'

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
const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)?$/i

/**
 * Reads when the feed was updated (design 7, "timestamp of the feed"): the most recent such weekday and date not later
 * than now. Without an instant where the text has no time, or one that never was: in the gap of spring, or a date without
 * that weekday; `at` is undefined for times in the future as well.
 */
export function readFeedTime(text: string, context: TimeTextContext): FeedTime {
  const line = text.slice(0, MAX_LENGTH).replace(/\s+/g, ' ').trim()
  const named = isoInstants(line, context.timeZone) ?? wordsInstants(line, context)
  const latest = context.now.getTime() + SKEW_MS
  const past = named.filter(instant => instant <= latest)
  const previous = context.previous === undefined ? Number.NaN : Date.parse(context.previous)
  // An ambiguous local time has two, the earlier first.
  return { named, at: past.findLast(candidate => !(candidate < previous)) ?? past.at(-1) }
}

/** The instants of an ISO timestamp; undefined for other text. Without an offset it is local time. */
function isoInstants(line: string, timeZone: string): number[] | undefined {
  const [, date, time, offset] = ISO.exec(line) ?? []
  if (date === undefined) return undefined
  try {
    if (offset === undefined) return instantsOf(Temporal.PlainDateTime.from(`${date}T${time}`), timeZone)
    return [Temporal.Instant.from(`${date}T${time}${offset.toUpperCase()}`).epochMilliseconds]
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}

function wordsInstants(line: string, { now, timeZone }: TimeTextContext): number[] {
  const words = parseTimeText(line)
  if (words === undefined) return []
  const end = localDate(now.getTime() + CLOCK_FAULT_MS, timeZone)
  const date = latestDate(words, end)
  return date === undefined ? [] : instantsOf(date.toPlainDateTime(timeOf(words)), timeZone)
}

const timeOf = ({ hour, minute, second }: TimeWords) => Temporal.PlainTime.from({ hour, minute, second })

const localDate = (instant: number, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDate()

/** The instants at which the zone's clocks show a time: none in the gap of spring, two in the DST overlap of autumn. */
function instantsOf(local: Temporal.PlainDateTime, timeZone: string): number[] {
  const earlier = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  const later = local.toZonedDateTime(timeZone, { disambiguation: 'later' })
  if (!earlier.toPlainDateTime().equals(local)) return []
  return [...new Set([earlier.epochMilliseconds, later.epochMilliseconds])]
}

type TimeWords = NonNullable<ReturnType<typeof parseTimeText>>

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
]

const WORDS =
  /(?<![\d:.])(\d\d?):(\d\d)(?::(\d\d))? on ([a-z]{3,9}),? (\d\d?)(?:st|nd|rd|th)?(?: of)? ([a-z]{3,9})(?:,? (\d{4}))?(?!\w)/i

/** Finds `HH:MM:SS on <Weekday> <D> <Month>` in a line whose blanks are single; undefined if it is not there. */
function parseTimeText(line: string) {
  const [, hour, minute, second = '0', weekdayWord = '', day, monthWord = '', year] = WORDS.exec(line) ?? []
  const words = {
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    /** 1 is Monday. */
    weekday: ordinalOf(weekdayWord, WEEKDAYS),
    day: Number(day),
    month: ordinalOf(monthWord, MONTHS),
    /** The feed leaves it out. */
    year: year === undefined ? undefined : Number(year),
  }
  const exists = words.hour < 24 && words.minute < 60 && words.second < 60
  return exists && words.weekday > 0 && words.month > 0 ? words : undefined
}

/** A name or its first three or more letters; 0 where there is no such name. */
function ordinalOf(word: string, names: readonly string[]): number {
  const start = word.toLowerCase()
  return start === '' ? 0 : names.findIndex(name => name.startsWith(start)) + 1
}

/** 29 February falls on a given weekday every 28 years, and every 40 round a century that is no leap year. */
const YEARS_BACK = 40

/** The most recent date with this weekday, day and month that is not after `end`. */
function latestDate(words: TimeWords, end: Temporal.PlainDate): Temporal.PlainDate | undefined {
  for (let year = end.year; year >= end.year - YEARS_BACK; year--) {
    if (words.year !== undefined && words.year !== year) continue
    const month = Temporal.PlainYearMonth.from({ year, month: words.month })
    if (words.day < 1 || words.day > month.daysInMonth) continue
    const date = month.toPlainDate({ day: words.day })
    if (date.dayOfWeek === words.weekday && Temporal.PlainDate.compare(date, end) <= 0) return date
  }
  return undefined
}
