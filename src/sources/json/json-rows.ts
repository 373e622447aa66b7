import { type Columns, rowOf } from '../columns.ts'
import { withFirstLine } from '../first-line.ts'
import { MOST_COLUMNS } from '../limits.ts'
import { faultyRow, isBlank, isObject, Refusal, type SourceRow } from '../source-row.ts'
import { checkCollection, fieldsOfFeature, isFeature } from './geojson.ts'
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
