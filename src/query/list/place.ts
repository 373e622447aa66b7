import { distanceMetres, isInBox, pointOf } from '../geometry.ts'
import type { Place, StoredRecord } from '../query.ts'

/** The records that match a geographical filter, nearest first for a point. */
export function atPlace(
  records: readonly StoredRecord[],
  { box, near, orUnknown }: Place,
): readonly StoredRecord[] {
  const found = records.flatMap(record => {
    const point = pointOf(record)
    if (point === undefined) return orUnknown && near === undefined ? [{ record, distance: 0 }] : []
    if (box !== undefined && !isInBox(point, box)) return []
    const distance = near === undefined ? 0 : distanceMetres(near, point)
    return distance > (near?.radiusMetres ?? Number.POSITIVE_INFINITY) ? [] : [{ record, distance }]
  })
  return found.sort((one, other) => one.distance - other.distance).map(({ record }) => record)
}
