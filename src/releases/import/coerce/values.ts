import type { Point } from '../../../query/query.ts'
import { isBlank } from '../../../sources/source-row.ts'
import { suggestion } from '../../../values/text.ts'
import { isObject } from '../../../values/values.ts'
import { uuidOf } from '../identity.ts'
import { blankOf, type Coerce, type FieldSchema, hasType, NO_VALUE, Rejection } from '../importable.ts'

const PLAIN = /^[\x20-\x7e]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
const BROKEN = /[\p{Surrogate}\ufffd]/u
/** UTF-8 that was decoded as Windows-1252 and encoded again: "CafÃ©". */
const DOUBLY_ENCODED = /Ã[\u0080-\u00bf]|Â[\u00a0-\u00bf]|â€/

/** Coerces to trimmed text in Unicode NFC, without control characters except line feed and tab. */
export function coerceText(pattern?: string): Coerce {
  const form = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  return (raw, field, warn) => {
    const text = readText(raw, field)
    if (form !== undefined && !form.test(text)) throw new Rejection(field, raw, `must match ${form.source}`)
    if (!PLAIN.test(text) && DOUBLY_ENCODED.test(text))
      warn(field, text, 'looks like UTF-8 that was read in another encoding')
    return text
  }
}

/** The text of a string or number; numbers in decimal, since sources have codes as numbers. */
export function readText(raw: unknown, field: string): string {
  const written = typeof raw === 'number' ? String(raw) : raw
  if (typeof written !== 'string') throw new Rejection(field, raw, 'must be text')
  if (typeof raw === 'number' && !/^-?[\d.]+$/.test(written))
    throw new Rejection(field, raw, 'is a number that has no plain decimal form')
  const trimmed = written.trim()
  return PLAIN.test(trimmed) ? trimmed : composed(trimmed, raw, field)
}

/** As spreadsheets write a number: with decimals, or as digits and a power of ten. */
const SPREADSHEET_NUMBER = /^(\d+)(?:\.(\d+))?(?:e\+?(\d{1,3}))?$/i

/** Coerces to a code of digits. Restores a code that a spreadsheet took for a number, if the text has all digits. */
export const coerceCode: Coerce = (raw, field) => {
  const text = readText(raw, field)
  const [, whole = '', decimals = '', power = ''] = SPREADSHEET_NUMBER.exec(text) ?? []
  if (decimals === '' && power === '') return text
  const exponent = Number(power)
  if (decimals.length < exponent || /[^0]/.test(decimals.slice(exponent)))
    throw new Rejection(
      field,
      raw,
      'is a code that a spreadsheet wrote as a number, without all of its digits; format the column as text and write the code again',
    )
  return whole + decimals.slice(0, exponent)
}

function composed(trimmed: string, raw: unknown, field: string): string {
  const text = trimmed.replaceAll('\r\n', '\n').normalize('NFC')
  if (CONTROL.test(text)) throw new Rejection(field, raw, 'contains a control character')
  if (BROKEN.test(text))
    throw new Rejection(
      field,
      raw,
      'holds a character that was damaged before; save the source as UTF-8 again',
    )
  return text
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Coerces to a UUID in lower case. */
export function coerceUuid(raw: unknown, field: string): string {
  const text = typeof raw === 'string' ? raw.trim().toLowerCase() : ''
  if (!UUID.test(text))
    throw new Rejection(field, raw, 'must be a UUID such as 03d8bf66-e451-4a20-b3e5-96f8c1293f2c')
  return text
}

/** Parts of hexadecimal digits: a damaged UUID, not another kind of id. */
const LIKE_UUID = /^[\da-f]+(-[\da-f]+){3,}$/i

/** Coerces the id of a record to a UUID; an id of another kind becomes a UUID that is the same at every import. */
export function coerceId(dataset: string): Coerce {
  return (raw, field) => {
    const text = readText(raw, field)
    return UUID.test(text.toLowerCase()) || LIKE_UUID.test(text)
      ? coerceUuid(raw, field)
      : uuidOf(dataset, 'id', '', text)
  }
}

/**
 * Coerces to a value of an enumeration, ignoring case; blanks, hyphens and underscores are equal. An open enumeration
 * keeps an unknown value with a warning.
 */
export function coerceEnumeration(values: readonly string[], isOpen: boolean): Coerce {
  const byForm = new Map(values.map(value => [formOf(value), value]))
  return (raw, field, warn) => {
    const form = formOf(readText(raw, field))
    const value = byForm.get(form)
    if (value !== undefined) return value
    const known = values.join(', ')
    const hint = suggestion(form, values, meant => `; ${meant} may be meant`)
    if (!isOpen) throw new Rejection(field, raw, `must be one of ${known}${hint}`)
    warn(field, raw, `is not a known value (${known})${hint}`)
    return form
  }
}

const formOf = (text: string) =>
  text
    .toUpperCase()
    .normalize('NFC')
    .replace(/[\s-]+/g, '_')

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', '1', 'x', '✓'].map(word => [word, true] as const),
  ...['false', 'no', 'n', '0'].map(word => [word, false] as const),
])

/** Coerces booleans, and words or digits for them. */
export function coerceFlag(raw: unknown, field: string): boolean {
  const value = typeof raw === 'object' ? undefined : FLAGS.get(String(raw).trim().toLowerCase())
  if (value === undefined)
    throw new Rejection(field, raw, 'must be true or false (yes, no, y, n, x, 1 and 0 are understood too)')
  return value
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/

const MOST_DEGREES = 360
const IN_METRES =
  "is no degree, but may be metres: convert eastings and northings to WGS 84 (EPSG:4326) in QGIS or with ogr2ogr; the island's own grid is EPSG:3109"

/**
 * Coerces numbers and plain decimal digits: "1,5" and "0x10" are ambiguous, and "12 cc" has a unit. Degrees may be part of
 * a position, and are rounded to 8 decimals, about a millimetre (spec 2.5).
 */
export function coerceNumber(schema: FieldSchema, name: string): Coerce {
  const whole = hasType(schema, 'integer')
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  const kind = whole ? 'a whole number' : 'a number'
  const isDegrees = name === 'latitude' || name === 'longitude'
  return (raw, field) => {
    const value = numberOf(isDegrees ? (readPosition(raw)?.[name] ?? raw) : raw)
    if (!Number.isFinite(value))
      throw new Rejection(field, raw, `must be ${kind} in plain decimal digits${hint(raw, schema)}`)
    if (whole && !Number.isInteger(value)) throw new Rejection(field, raw, 'must be a whole number')
    if (whole && !Number.isSafeInteger(value))
      throw new Rejection(field, raw, 'is too large to be kept exactly')
    if (isDegrees && Math.abs(value) > MOST_DEGREES) throw new Rejection(field, raw, IN_METRES)
    if (value < minimum || value > maximum) throw new Rejection(field, raw, `must be ${range(schema)}`)
    return isDegrees ? withoutMinus(Number(value.toFixed(8))) : value
  }
}

/** Advice for the most common texts that are not plain numbers. */
function hint(raw: unknown, schema: FieldSchema): string {
  const text = typeof raw === 'string' ? raw.trim() : ''
  if (text.includes(',') && /^[+-]?[\d.,]+$/.test(text))
    return ': a point, not a comma, before decimals, and nothing between thousands'
  return blankOf(schema) && NO_VALUE.test(text) ? '; leave the cell empty where there is no value' : ''
}

function numberOf(raw: unknown): number {
  if (typeof raw === 'number') return withoutMinus(raw)
  if (typeof raw !== 'string') return Number.NaN
  const text = raw.trim()
  return DECIMAL.test(text) ? withoutMinus(Number(text)) : Number.NaN
}

/** Converts -0 to 0, as JSON does. */
const withoutMinus = (value: number) => (value === 0 ? 0 : value)

function range({ minimum, maximum }: FieldSchema): string {
  if (minimum === undefined) return `at most ${maximum}`
  return maximum === undefined ? `at least ${minimum}` : `from ${minimum} to ${maximum}`
}

/** Two numbers, each with a decimal point, so that decimal commas are not taken for separators. */
const PAIR = /^\(?([+-]?\d+\.\d+)(?:\s?[,;]\s?|\s)([+-]?\d+\.\d+)\)?$/
/** Well-known text, which has the longitude first; a third number is a height. */
const WKT = /^(?:SRID=4326; ?)?POINT(?: Z)? ?\( ?([+-]?[\d.]+) ([+-]?[\d.]+)(?: [+-]?[\d.]+)? ?\)$/i
const BLANKS = /\s+/g

/**
 * Reads a position: a pair of numbers, well-known text, a point of GeoJSON, or an object with latitude and longitude;
 * else undefined.
 */
export function readPosition(raw: unknown): Point | undefined {
  if (typeof raw === 'string') {
    const text = raw.trim().replace(BLANKS, ' ')
    const [, west, north] = WKT.exec(text) ?? []
    const [, latitude, longitude] = PAIR.exec(text) ?? []
    return positionOf(north ?? latitude, west ?? longitude)
  }
  if (Array.isArray(raw)) return positionOf(raw[0], raw[1])
  if (!isObject(raw)) return undefined
  if (Array.isArray(raw.coordinates)) return positionOf(raw.coordinates[1], raw.coordinates[0])
  return positionOf(raw.latitude ?? raw.lat, raw.longitude ?? raw.lon ?? raw.lng ?? raw.long)
}

function positionOf(north: unknown, east: unknown): Point | undefined {
  const [latitude, longitude] = [Number(north), Number(east)]
  const isOne = !isBlank(north) && !isBlank(east) && Number.isFinite(latitude + longitude)
  return isOne ? { latitude, longitude } : undefined
}

/** Spreadsheets and databases write a time of midnight after a date. */
const MIDNIGHT = /[T ]00:00(?::00(?:\.0{1,9})?)?$/
const DATE = /^\d{4}-\d{2}-\d{2}$/
const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:Z|([+-]\d{2}):?(\d{2}))$/i

const FIRST_YEAR = 1800
const LAST_YEAR = 2200

/** Coerces to ISO 8601 UTC with milliseconds. A calendar date is midnight UTC of that date (design 7). */
export function coerceTimestamp(raw: unknown, field: string): string {
  const instant = typeof raw === 'string' ? instantOf(raw.trim()) : undefined
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

/** Rewrites a date at the start of a text, `DD/MM/YYYY` or `YYYY/MM/DD`, as `YYYY-MM-DD`. */
export const isoDate = (text: string): string =>
  text
    .replace(/^(\d{2})\/(\d{2})\/(\d{4})(?!\d)/, '$3-$2-$1')
    .replace(/^(\d{4})\/(\d{2})\/(\d{2})(?!\d)/, '$1-$2-$3')

/** The instant; an invalid `Date` if the date does not exist, or undefined for text that is not a date. */
function instantOf(text: string): Date | undefined {
  const day = isoDate(text.replace(MIDNIGHT, ''))
  const written = DATE.test(day) ? `${day}T00:00Z` : text
  const [, date, time, hours, minutes] = TIMESTAMP.exec(written) ?? []
  if (date === undefined) return undefined
  // `Date` would turn 30 February into 2 March.
  const exists = new Date(date).getUTCDate() === Number(date.slice(-2))
  return new Date(exists ? `${date}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}` : Number.NaN)
}
