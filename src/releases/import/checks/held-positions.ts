import { isOnIsland, pointOf } from '../../../query/geometry.ts'
import type { StoredRecord } from '../../../query/query.ts'
import type { BaselineContent } from './baseline.ts'

/** A record as it is published, and what is held back of it, if anything. */
export interface HeldRecord {
  readonly record: StoredRecord
  readonly held?: HeldPosition
}

/** A position of a source that is not published: where it is, what is wrong with it, and what is published. */
export interface HeldPosition {
  readonly position: string
  readonly fault: string
  readonly kept: string
}

/** What is wrong with a position, and which field shows it; undefined for one on the island, and for half a position. */
export function faultOfPosition({
  latitude,
  longitude,
}: StoredRecord): { readonly field: string; readonly value: string; readonly reason: string } | undefined {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  if (isOnIsland(latitude, longitude)) return undefined
  const fault = (field: string, reason: string) => ({ field, value: `${latitude}, ${longitude}`, reason })
  if (latitude === 0 && longitude === 0) return fault('latitude', 'the coordinates are 0, 0')
  if (isOnIsland(longitude, latitude))
    return fault('latitude', 'lies off the island; latitude and longitude may be swapped')
  if (isOnIsland(latitude, -longitude))
    return fault('longitude', 'lies off the island; a minus sign may be missing')
  return fault('latitude', 'lies off the island')
}

/** Puts the last good position, or none, in the place of one that leaves the island: one that was off it has not left it. */
export function holdPosition(
  records: BaselineContent['records'],
  key: string,
  given: StoredRecord,
): HeldRecord {
  const [before, fault] = [records.get(key), faultOfPosition(given)]
  if (fault === undefined || (before && faultOfPosition(before))) return { record: given }
  const last = before && pointOf(before)
  const kept = last === undefined ? 'it is published without a position' : 'its last good position is kept'
  return {
    record: { ...given, latitude: last?.latitude ?? null, longitude: last?.longitude ?? null },
    held: { position: fault.value, fault: fault.reason, kept },
  }
}
