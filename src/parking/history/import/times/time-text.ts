import { WRITTEN, type Written } from '../reading-table.ts'

/** A time as its text has it. */
export interface TextTime {
  /** Milliseconds since 1970: of an instant UTC, of a local time by the clock; without a year, of the year 2000. */
  readonly time: number
  readonly written: Written
}

const FORM =
  /^(?:(\d{4})-)?(\d\d-\d\d)[T ](\d\d:\d\d)(?:(:\d\d)(?:\.(\d{1,9}))?)?(?: ?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d))?$/i

/** The year that a text without one is read in: a leap year, so that every date of any year is one of it. */
const NOMINAL_YEAR = 2000

/** What the message says of a text that {@link parseTime} does not know. */
export const TIME_FORMS =
  'is not a time; allowed: YYYY-MM-DD HH:MM:SS, with or without an offset such as Z, or MM-DD HH:MM:SS with --year'

/** Reads a time; undefined where the text is none. */
export function parseTime(text: string): TextTime | undefined {
  const [, year, date, minute, second = ':00', fraction = '', offset] = FORM.exec(text) ?? []
  const clock = `${year ?? NOMINAL_YEAR}-${date}T${minute}${second}`
  const time = Date.parse(`${clock}Z`)
  // No clock shows the thirtieth of February, or half past 24.
  const isShown = time >= 0 && new Date(time).toISOString().startsWith(clock)
  if (!isShown || (offset !== undefined && year === undefined)) return undefined
  const whole = time + Number(`${fraction}000`.slice(0, 3))
  if (offset !== undefined) return { time: whole - eastOf(offset), written: WRITTEN.instant }
  return { time: whole, written: year === undefined ? WRITTEN.localWithoutYear : WRITTEN.local }
}

function eastOf(offset: string): number {
  if (/^z$/i.test(offset)) return 0
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000
}
