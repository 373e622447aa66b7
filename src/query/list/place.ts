import { distanceMetres, isInBox, pointOf } from '../geometry.ts'
import type { Area, StoredRecord } from '../query.ts'

/** The records that match a geographical filter. With a point: nearest first, each with its distance as `distanceMetres`. */
export function atPlace(
  records: readonly StoredRecord[],
  { box, near, orUnknown }: Area,
): readonly StoredRecord[] {
  const found = records.flatMap(record => {
    const point = pointOf(record)
    if (point === undefined) return orUnknown && near === undefined ? [{ record, distance: 0 }] : []
    if (box !== undefined && !isInBox(point, box)) return []
    const distance = near === undefined ? 0 : distanceMetres(near, point)
    return distance > (near?.radiusMetres ?? Number.POSITIVE_INFINITY) ? [] : [{ record, distance }]
  })
  if (near === undefined) return found.map(({ record }) => record)
  return found
    .sort((one, other) => one.distance - other.distance)
    .map(({ record, distance }) => ({ ...record, [DISTANCE]: Math.round(distance) }))
}

/** The name of the distance in records found near a point. No field has this name. */
export const DISTANCE = 'distanceMetres'
