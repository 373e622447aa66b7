import { cut } from '../../values/text.ts'
import { LONGEST_NAME } from '../claims.ts'
import type { Columns } from '../columns.ts'
import { isBlank, isObject, Refusal } from '../source-row.ts'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The names of WGS 84 with the longitude first: by OGC, and by EPSG as GeoJSON has always used it. */
const WGS_84 = /(?:^|[:/])(?:CRS:?84|EPSG[:/](?:[\d.]*[:/])?4326)$/i

/** Whether a JSON object is a GeoJSON feature. */
export const isFeature = (value: Readonly<Record<string, unknown>>): boolean =>
  value.type === 'Feature' && 'properties' in value

/**
 * The fields of a GeoJSON feature (RFC 7946 3.2): its properties, the coordinates of its point, and its id where the
 * properties have none. Or why it cannot be a record.
 */
export function fieldsOfFeature(
  { id, geometry, properties }: Readonly<Record<string, unknown>>,
  { hasUuids }: Pick<Columns, 'hasUuids'>,
): Map<string, unknown> | string {
  if (properties !== null && !isObject(properties)) return 'has properties that are not an object'
  const fields = new Map<string, unknown>(Object.entries(properties ?? {}))
  // Programs number features, or name them "layer.17": such an id is not a record's.
  const isId = hasUuids ? UUID.test(String(id)) : !isBlank(id)
  if (isId && isBlank(fields.get('id'))) fields.set('id', id)
  if (isBlank(geometry)) return fields
  const { type, coordinates } = isObject(geometry) ? geometry : {}
  if (type !== 'Point')
    return `has the geometry ${cut(String(type), LONGEST_NAME)}; a record can only have a Point, or null`
  const [longitude, latitude] = Array.isArray(coordinates) ? coordinates : []
  if (typeof longitude !== 'number' || typeof latitude !== 'number')
    return 'has a Point without a longitude and a latitude'
  return fields.set('latitude', latitude).set('longitude', longitude)
}

/** Checks a member of a FeatureCollection. Throws {@link Refusal} for coordinates in another system than WGS 84. */
export function checkCollection(member: string, value: unknown, line: number): void {
  // RFC 7946 has no "crs" any more, but programs still write the one of GeoJSON 2008.
  if (member !== 'crs' || !isObject(value)) return
  const { name, code } = isObject(value.properties) ? value.properties : {}
  const system = cut(String(name ?? (code === undefined ? value.type : `EPSG:${code}`)), LONGEST_NAME)
  if (!WGS_84.test(system))
    throw new Refusal(
      `line ${line}: the coordinates are in ${system}; save it in WGS 84 (EPSG:4326), as GeoJSON requires`,
    )
}
