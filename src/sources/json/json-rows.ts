import { cut } from '../../values/text.ts'
import { LONGEST_NAME } from '../claims.ts'
import { type Columns, rowOf } from '../columns.ts'
import { withFirstLine } from '../encodings.ts'
import { MOST_COLUMNS } from '../limits.ts'
import { faultyRow, isBlank, isObject, Refusal, type SourceRow } from '../source-row.ts'
import { createJsonSplitter, FEATURES, type JsonElement, parsed, RESULTS } from './json-elements.ts'

/** The records of a JSON source: of its list, of a GeoJSON FeatureCollection, or one on each line (NDJSON). */
export async function* jsonRows(
  text: AsyncGenerator<string>,
  columns: Columns,
  onMember: (name: string, value: unknown) => void = () => {},
): AsyncGenerator<readonly SourceRow[]> {
  const { line, whole } = await withFirstLine(text)
  const splitter = createJsonSplitter(isRecord(line, columns) ? 'lines' : 'document', (name, value, at) => {
    checkCollection(name, value, at)
    onMember(name, value)
  })
  let any = false
  for await (const piece of whole) {
    const elements = splitter.push(piece)
    any ||= elements.length > 0
    yield elements.map(element => toRow(element, columns, splitter.listName() === FEATURES))
  }
  splitter.end()
  // An empty list has no names; it is refused as empty later.
  if (any) columns.checkMapped()
}

/** Whether a line is a record by itself, rather than a whole document on one line. */
function isRecord(line: string, columns: Columns): boolean {
  const value = parsed(line)
  if (!isObject(value)) return false
  if (Array.isArray(value[RESULTS]) || Array.isArray(value[FEATURES])) return false
  return isFeature(value) || columns.matchNames(Object.keys(value)).assignment.size > 0
}

function toRow({ line, value }: JsonElement, columns: Columns, mustBeFeature: boolean): SourceRow {
  if (!isObject(value)) return faultyRow(line, 'is not an object with the fields of a record', value)
  if (mustBeFeature && !isFeature(value)) return faultyRow(line, 'is not a GeoJSON feature', value)
  // A Map, because "__proto__" is a name like any other.
  const given = isFeature(value) ? fieldsOfFeature(value, columns) : new Map(Object.entries(value))
  if (typeof given === 'string') return faultyRow(line, given)
  if (given.size > MOST_COLUMNS)
    return faultyRow(line, `has ${given.size} fields; at most ${MOST_COLUMNS} are allowed`)
  try {
    const row = rowOf(line, columns.matchNames([...given.keys()]), name => given.get(name))
    for (const [name, value] of columns.ignored)
      if (value === undefined && !isBlank(given.get(name))) columns.sample(name, given.get(name))
    return row
  } catch (error) {
    if (error instanceof Refusal) return faultyRow(line, error.message)
    throw error
  }
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The names of WGS 84 with the longitude first: by OGC, and by EPSG as GeoJSON has always used it. */
const WGS_84 = /(?:^|[:/])(?:CRS:?84|EPSG[:/](?:[\d.]*[:/])?4326)$/i

/** Whether a JSON object is a GeoJSON feature. */
const isFeature = (value: Readonly<Record<string, unknown>>): boolean =>
  value.type === 'Feature' && 'properties' in value

/**
 * The fields of a GeoJSON feature (RFC 7946 3.2): its properties, the coordinates of its point, and its id where the
 * properties have none. Or why it cannot be a record.
 */
function fieldsOfFeature(
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
function checkCollection(member: string, value: unknown, line: number): void {
  // RFC 7946 has no "crs" any more, but programs still write the one of GeoJSON 2008.
  if (member !== 'crs' || !isObject(value)) return
  const { name, code } = isObject(value.properties) ? value.properties : {}
  const system = cut(String(name ?? (code === undefined ? value.type : `EPSG:${code}`)), LONGEST_NAME)
  if (!WGS_84.test(system))
    throw new Refusal(
      `line ${line}: the coordinates are in ${system}; save it in WGS 84 (EPSG:4326), as GeoJSON requires`,
    )
}
