import type { Point } from '../../../query/geometry.ts'
import { isBlank, isObject } from '../../../sources/source-row.ts'

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
