import { Rejection } from '../importable.ts'

/** Spreadsheets and databases write a time of midnight after a date. */
const MIDNIGHT = /[T ]00:00(?::00(?:\.0{1,9})?)?$/
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIMESTAMP = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i

const FIRST_YEAR = 1800
const LAST_YEAR = 2200

/** Coerces to ISO 8601 UTC with milliseconds. A calendar date is midnight UTC of that date (design 7). */
export function coerceTimestamp(raw: unknown, field: string): string {
  const instant = typeof raw === 'string' ? read(raw.trim()) : undefined
  if (instant === undefined)
    throw new Rejection(
      field,
      raw,
      'must be a date as DD/MM/YYYY or YYYY-MM-DD, or an ISO 8601 time with its offset',
    )
  if (Number.isNaN(instant.getTime()))
    throw new Rejection(field, raw, 'is a date or time that does not exist')
  const year = instant.getUTCFullYear()
  if (year < FIRST_YEAR || year > LAST_YEAR)
    throw new Rejection(field, raw, `must lie in the years ${FIRST_YEAR} to ${LAST_YEAR}`)
  return instant.toISOString()
}

/** Coerces to a calendar date as midnight UTC: the date as it is written, whatever time and offset follow. */
export function coerceDate(raw: unknown, field: string): string {
  const timestamp = coerceTimestamp(raw, field)
  const [written = timestamp.slice(0, 10)] = /^\d{4}-\d{2}-\d{2}/.exec(String(raw).trim()) ?? []
  return `${written}T00:00:00.000Z`
}

/** Writes a date that begins a text, `DD/MM/YYYY` or `YYYY/MM/DD`, as `YYYY-MM-DD`. */
export const isoDate = (text: string): string =>
  text
    .replace(/^(\d{2})\/(\d{2})\/(\d{4})(?!\d)/, '$3-$2-$1')
    .replace(/^(\d{4})\/(\d{2})\/(\d{2})(?!\d)/, '$1-$2-$3')

/** The instant; an invalid `Date` where the calendar has no such date, undefined for text that is not a date. */
function read(text: string): Date | undefined {
  const day = DATE.exec(isoDate(text.replace(MIDNIGHT, '')))
  if (day !== null) return midnight(day[1], day[2], day[3])
  const [, year, month, date, time, seconds = '00', fraction = '', offset] = TIMESTAMP.exec(text) ?? []
  if (offset === undefined) return undefined
  const start = midnight(year, month, date)
  if (Number.isNaN(start.getTime())) return start
  const zone = /^z$/i.test(offset) ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`
  return new Date(`${year}-${month}-${date}T${time}:${seconds}${fraction.slice(0, 4)}${zone}`)
}

/** Rejects 30 February, which `Date` would turn into 2 March. */
function midnight(year?: string, month?: string, day?: string): Date {
  const instant = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  const exists = instant.getUTCMonth() + 1 === Number(month) && instant.getUTCDate() === Number(day)
  return exists ? instant : new Date(Number.NaN)
}
