import type { StoredRecord } from '../../query/query.ts'
import { oncePerSnapshot } from '../../releases/snapshots/snapshot.ts'

/** Car parks by id and by live tracking code, both in lower case. If two share a code, the first one has it. */
export const carparksByIdOrCode = oncePerSnapshot(snapshot => {
  const found = new Map<string, StoredRecord>()
  for (const carpark of snapshot.records) {
    for (const name of [carpark.id, carpark.liveTrackingCode]) {
      if (typeof name === 'string' && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), carpark)
    }
  }
  return found
})

/** The spaces of car parks with a live tracking code, by this code in upper case. */
export const spacesByCode = oncePerSnapshot(snapshot => {
  const spaces = new Map<string, number | null>()
  for (const { liveTrackingCode: code, spaces: count } of snapshot.records)
    if (typeof code === 'string') spaces.set(code.toUpperCase(), typeof count === 'number' ? count : null)
  return spaces
})
