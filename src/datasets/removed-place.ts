import { Problem } from '../errors.ts'
import type { RemovedPlace } from '../http/problem-body.ts'
import { hasGeometry } from '../query/geometry.ts'
import { DISTANCE } from '../query/list-collection.ts'
import type { StoredRecord } from '../query/query.ts'
import type { ServedDataset } from './dataset.ts'

const MOST_NEAREST = 3

/** Whether a record has an id; case does not matter. */
export const hasId = (id: string) => (record: StoredRecord) =>
  String(record.id).toLowerCase() === id.toLowerCase()

/**
 * Throws the problem RECORD_REMOVED if a kept release has a place that `isMeant` accepts, and otherwise `unknown`. `address`
 * makes the address of a path.
 */
export async function throwRemovedOr(
  unknown: Problem,
  context: ServedDataset,
  { isMeant, address }: { isMeant: (record: StoredRecord) => boolean; address: (path: string) => string },
): Promise<never> {
  const { dataset, past } = context
  if (!hasGeometry(dataset.record)) throw unknown
  // If earlier releases cannot be read now, nobody knows more of the place than that it is not listed.
  const removed = await past.removed().catch(() => [])
  const found = removed.find(({ record }) => isMeant(record))
  if (found === undefined) throw unknown
  const nameOf = (record: StoredRecord) => String(record[dataset.knownBy[0] ?? 'id'])
  const name = nameOf(found.record)
  const nearest = (await nearestTo(found.record, context)).map(record => ({
    id: String(record.id),
    name: nameOf(record),
    path: address(`${dataset.path}/${record.id}`),
    distanceMetres: Number(record[DISTANCE]),
  }))
  const place: RemovedPlace = { name, removedAt: found.removedAt, nearest }
  throw new Problem('RECORD_REMOVED', `${dataset.title}: ${name} is no longer listed.`, { removed: place })
}

async function nearestTo(
  { latitude, longitude }: StoredRecord,
  { snapshot }: ServedDataset,
): Promise<readonly StoredRecord[]> {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return []
  const near = { latitude, longitude }
  const { batches } = await snapshot().collection.execute({
    filters: [],
    place: { near },
    limit: MOST_NEAREST,
  })
  const found: StoredRecord[] = []
  for await (const batch of batches()) found.push(...batch.records())
  return found
}
