import { DAY_MS } from '../../values/time-units.ts'
import { damaged } from './archive.ts'
import { UNIX_EPOCH, type Workbook } from './workbook.ts'

/** A character that XML cannot have, in the form that Excel gives it. */
const ESCAPED = /_x([\da-f]{4})_/gi

/** The text of a cell by its type (ECMA-376 part 1, 18.18.11). */
export function textOf(
  value: string,
  { t: type = 'n', s: style }: Readonly<Record<string, string>>,
  { texts, isDate, unixEpoch }: Workbook,
): string {
  const number = Number(value)
  if (type === 'b') return value && String(value === '1')
  if (type === 'n' && value.trim() !== '' && !Number.isNaN(number))
    return cellText(style !== undefined && isDate(Number(style)) ? dateOf(number, unixEpoch) : number)
  const text = type === 's' && value !== '' ? texts[number] : value
  if (text === undefined) throw damaged('a cell has a text that the workbook does not have')
  return text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Excel calculates with this number of digits, and shows no more. */
const DIGITS = 15

const MIDNIGHT = ' 00:00:00'
/** The day before the first one that Excel counts. */
const NO_DAY = '1899-12-31 '

/**
 * A number in plain digits; a date as `YYYY-MM-DD`, with its time if it has one; a time of day as `HH:MM:SS`. A workbook
 * knows no time zones, so a time has none.
 */
export function cellText(value: number | Date): string {
  if (typeof value === 'number') return String(Number(value.toPrecision(DIGITS)))
  if (Number.isNaN(value.getTime())) return ''
  // Fractions of a day are not exact.
  const second = new Date(Math.round(value.getTime() / 1000) * 1000)
  const text = second.toISOString().replace('T', ' ').slice(0, 'YYYY-MM-DD HH:MM:SS'.length)
  if (text.startsWith(NO_DAY)) return text.slice(NO_DAY.length)
  return text.endsWith(MIDNIGHT) ? text.slice(0, -MIDNIGHT.length) : text
}

/** Excel counts a 29 February 1900, which did not exist. */
const FALSE_LEAP_DAY = 60

function dateOf(serial: number, unixEpoch: number): Date {
  const days = unixEpoch === UNIX_EPOCH[1900] && serial < FALSE_LEAP_DAY ? serial + 1 : serial
  return new Date((days - unixEpoch) * DAY_MS)
}
