import type { Point } from '../../../query/geometry.ts'
import { isBlank, isObject } from '../../../sources/source-row.ts'

/** With a point: two numbers with commas are not taken for one position. */
const DEGREES = String.raw`([+-]?\d+\.\d+)`
const PAIR = new RegExp(String.raw`^\(?\s*${DEGREES}\s*[,;\s]\s*${DEGREES}\s*\)?$`)
/** Well-known text has the longitude first. */
const WKT = /^(?:SRID=4326;)?\s*POINT[ ZM]*\(\s*([+-]?[\d.]+)\s+([+-]?[\d.]+)[\s\d.+-]*\)$/i

/** Reads a position: a pair of numbers, well-known text, a point of GeoJSON, or an object with both; else undefined. */
export function readPosition(raw: unknown): Point | undefined {
  if (typeof raw === 'string') {
    const [, west, north] = WKT.exec(raw.trim()) ?? []
    const [, latitude, longitude] = PAIR.exec(raw.trim()) ?? []
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
