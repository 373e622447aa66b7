import { WRITTEN, type Written } from '../reading-table.ts'

/** A time as its text has it. */
export interface TextTime {
  /** Milliseconds since 1970: of an instant UTC, of a local time by the clock; without a year, of the year 2000. */
  readonly time: number
  readonly written: Written
}

const FORM =
  /^(?:(\d{4})-)?(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?: ?(Z|[+-]\d\d:?\d\d))?$/i

/** The year that a text without one is read in: a leap year, so that every date of any year is one of it. */
export const NOMINAL_YEAR = 2000

/** What the message says of a text that {@link parseTime} does not know. */
export const TIME_FORMS =
  'is no time; allowed: YYYY-MM-DD HH:MM:SS, with or without an offset such as Z, or MM-DD HH:MM:SS with --year'

/** Reads a time; undefined where the text is none. */
export function parseTime(text: string): TextTime | undefined {
  const match = FORM.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second = 0, fraction = '', offset] = match
  const time = clockTime([Number(year ?? NOMINAL_YEAR), month, day, hour, minute, second].map(Number))
  if (time === undefined) return undefined
  const whole = time + Number(`${fraction}000`.slice(0, 3))
  if (offset === undefined)
    return { time: whole, written: year === undefined ? WRITTEN.localWithoutYear : WRITTEN.local }
  const east = offsetOf(offset)
  if (year === undefined || east === undefined) return undefined
  return { time: whole - east, written: WRITTEN.instant }
}

/** Undefined where no clock shows this: the thirtieth of February, half past 24. */
function clockTime([year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]: readonly number[]):
  | number
  | undefined {
  const time = Date.UTC(year, month - 1, day, hour, minute, second)
  const date = new Date(time)
  const isReal =
    year >= 1970 &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60
  return isReal ? time : undefined
}

function offsetOf(text: string): number | undefined {
  if (/^z$/i.test(text)) return 0
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(-2))
  if (hours > 23 || minutes > 59) return undefined
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}
