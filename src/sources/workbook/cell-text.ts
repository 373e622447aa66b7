/** Excel calculates with this number of digits, and shows no more. */
const DIGITS = 15

const MIDNIGHT = ' 00:00:00'
/** The day before the first one that Excel counts. */
const NO_DAY = '1899-12-31 '

/**
 * The text of a workbook's cell: text as it is, a number in plain digits, a date as `YYYY-MM-DD`, with its time if it has
 * one, a time of day as `HH:MM:SS`. A workbook knows no time zones, so a time has none.
 */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(Number(value.toPrecision(DIGITS)))
  if (!(value instanceof Date)) return String(value)
  if (Number.isNaN(value.getTime())) return ''
  // Fractions of a day are not exact.
  const second = new Date(Math.round(value.getTime() / 1000) * 1000)
  const text = second.toISOString().replace('T', ' ').slice(0, 'YYYY-MM-DD HH:MM:SS'.length)
  if (text.startsWith(NO_DAY)) return text.slice(NO_DAY.length)
  return text.endsWith(MIDNIGHT) ? text.slice(0, -MIDNIGHT.length) : text
}
