import type { TObject } from 'typebox'
import { hasGeometry, pointOf } from '../query/geometry.ts'
import type { StoredRecord } from '../query/query.ts'
import type { RecordFormat } from './format.ts'
import { writeArray } from './json.ts'

/**
 * A FeatureCollection (RFC 7946), one feature per line. `properties` has all shown fields, so that nothing is lost if the
 * geometry is null: for absent coordinates, and for coordinates that an import warns of, such as 0,0 (design 7).
 */
export const geojson: RecordFormat = {
  name: 'geojson',
  mediaType: 'application/geo+json',
  description: 'A FeatureCollection (RFC 7946), one feature per record.',
  reads: ['id', 'latitude', 'longitude'],
  refusal: schema => (hasGeometry(schema) ? undefined : 'its records have no coordinates'),
  write: (batches, schema) =>
    writeArray('{"type":"FeatureCollection","features":[', batches, record => ({
      ...featureOf(record),
      properties: shownOf(record, schema),
    })),
}

/** Only the fields of the schema: the record may also have fields that were read for id and geometry. */
const shownOf = (record: StoredRecord, { properties }: TObject) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name in properties))

/** A record as a feature. */
export function featureOf(record: StoredRecord): object {
  const { id } = record
  const identity = typeof id === 'string' || typeof id === 'number' ? { id } : {}
  const point = pointOf(record)
  // Longitude first (RFC 7946 3.1.1).
  const geometry = point ? { type: 'Point', coordinates: [point.longitude, point.latitude] } : null
  return { type: 'Feature', ...identity, geometry, properties: record }
}
