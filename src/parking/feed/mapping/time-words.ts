import { Temporal } from 'temporal-polyfill'

/** The parts of a time text. */
export interface TimeWords {
  readonly hour: number
  readonly minute: number
  readonly second: number
  /** 1 is Monday. */
  readonly weekday: number
  readonly day: number
  readonly month: number
  /** The feed leaves it out. */
  readonly year: number | undefined
}

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
]

const WORDS =
  /(?<![\d:.])(\d\d?):(\d\d)(?::(\d\d))? on ([a-z]{3,9}),? (\d\d?)(?:st|nd|rd|th)?(?: of)? ([a-z]{3,9})(?:,? (\d{4}))?(?!\w)/i

/** Finds `HH:MM:SS on <Weekday> <D> <Month>` in a line whose blanks are single; undefined if it is not there. */
export function parseTimeText(line: string): TimeWords | undefined {
  const [, hour, minute, second = '0', weekdayWord = '', day, monthWord = '', year] = WORDS.exec(line) ?? []
  const words = {
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    weekday: ordinalOf(weekdayWord, WEEKDAYS),
    day: Number(day),
    month: ordinalOf(monthWord, MONTHS),
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
export function latestDate(words: TimeWords, end: Temporal.PlainDate): Temporal.PlainDate | undefined {
  for (let year = end.year; year >= end.year - YEARS_BACK; year--) {
    if (words.year !== undefined && words.year !== year) continue
    const month = Temporal.PlainYearMonth.from({ year, month: words.month })
    if (words.day < 1 || words.day > month.daysInMonth) continue
    const date = month.toPlainDate({ day: words.day })
    if (date.dayOfWeek === words.weekday && Temporal.PlainDate.compare(date, end) <= 0) return date
  }
  return undefined
}
