import type { Point } from '../../../query/geometry.ts'
import { isBlank, isObject } from '../../../sources/source-row.ts'
import { type Coerce, type FieldSchema, hasType, mayBeBlank } from '../field-schema.ts'
import { NO_VALUE, Rejection } from '../importable.ts'

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
    const value = read(isDegrees ? (readPosition(raw)?.[name] ?? raw) : raw)
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

/** What to do about the commonest texts that are no plain number. */
function hint(raw: unknown, schema: FieldSchema): string {
  const text = typeof raw === 'string' ? raw.trim() : ''
  if (text.includes(',') && /^[+-]?[\d.,]+$/.test(text))
    return ': a point, not a comma, before decimals, and nothing between thousands'
  return mayBeBlank(schema) && NO_VALUE.test(text) ? '; leave the cell empty where there is no value' : ''
}

function read(raw: unknown): number {
  if (typeof raw === 'number') return withoutMinus(raw)
  if (typeof raw !== 'string') return Number.NaN
  const text = raw.trim()
  return DECIMAL.test(text) ? withoutMinus(Number(text)) : Number.NaN
}

/** Converts -0 to 0, as which JSON writes it. */
const withoutMinus = (value: number) => (value === 0 ? 0 : value)

function range({ minimum, maximum }: FieldSchema): string {
  if (minimum === undefined) return `at most ${maximum}`
  return maximum === undefined ? `at least ${minimum}` : `from ${minimum} to ${maximum}`
}

/** Two numbers, each with a point: two numbers with commas are not taken for one position. */
const PAIR = /^\(?([+-]?\d+\.\d+)(?:\s?[,;]\s?|\s)([+-]?\d+\.\d+)\)?$/
/** Well-known text, which has the longitude first; a third number is a height. */
const WKT = /^(?:SRID=4326; ?)?POINT(?: Z)? ?\( ?([+-]?[\d.]+) ([+-]?[\d.]+)(?: [+-]?[\d.]+)? ?\)$/i
const BLANKS = /\s+/g

/** Reads a position: a pair of numbers, well-known text, a point of GeoJSON, or an object with both; else undefined. */
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
