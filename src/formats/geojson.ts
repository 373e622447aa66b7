import type { StoredRecord } from '../query/query.ts'
import { warnOfCoordinates } from '../releases/import/coordinates.ts'
import { inChunks } from './chunks.ts'
import type { Format, Records } from './format.ts'

/**
 * A FeatureCollection (RFC 7946), a feature a line. `properties` is the whole record, so that nothing is lost where the
 * geometry is null: coordinates that are null, or of which an import warns, as 0,0 and off the island (design 7).
 */
export const geojson: Format = {
  mediaType: 'application/geo+json',
  refusal: schema =>
    'latitude' in schema.properties && 'longitude' in schema.properties
      ? undefined
      : 'its records have no coordinates',
  write: records => inChunks(parts(records)),
}

async function* parts(records: Records): AsyncGenerator<string> {
  let before = '{"type":"FeatureCollection","features":[\n'
  for await (const record of records) {
    yield before + JSON.stringify(feature(record))
    before = ',\n'
  }
  yield before === ',\n' ? '\n]}\n' : '{"type":"FeatureCollection","features":[]}\n'
}

/** A record as a GeoJSON feature. */
export function feature(record: StoredRecord): object {
  const { id } = record
  const identity = typeof id === 'string' || typeof id === 'number' ? { id } : {}
  return { type: 'Feature', ...identity, geometry: geometry(record), properties: record }
}

function geometry(record: StoredRecord): object | null {
  const { latitude, longitude } = record
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null
  let isPlausible = true
  warnOfCoordinates(record, () => {
    isPlausible = false
  })
  // Longitude first (RFC 7946 3.1.1).
  return isPlausible ? { type: 'Point', coordinates: [longitude, latitude] } : null
}
