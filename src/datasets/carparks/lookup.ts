import type { StoredRecord } from '../../query/query.ts'
import { oncePerSnapshot } from '../../releases/snapshots/snapshot.ts'

/** The id of a car park and its live tracking code, if it has one, in lower case. */
export const namesOf = ({ id, liveTrackingCode }: StoredRecord): readonly string[] =>
  [id, liveTrackingCode].flatMap(name => (typeof name === 'string' ? [name.toLowerCase()] : []))

/** Car parks by id and by live tracking code, both in lower case. If two share a code, the first one has it. */
export const carparksByIdOrCode = oncePerSnapshot(snapshot => {
  const found = new Map<string, StoredRecord>()
  for (const carpark of snapshot.records) {
    for (const name of namesOf(carpark)) if (!found.has(name)) found.set(name, carpark)
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
