import { cut } from '../values/text.ts'
import { isObject } from '../values/values.ts'
import { type Columns, LONGEST_NAME } from './columns.ts'
import type { BegunText } from './encodings.ts'
import { DEEPEST, LONGEST_ROW, MOST_COLUMNS } from './limits.ts'
import { faultyRow, isBlank, Refusal, type SourceRow } from './source-row.ts'

/** One element of the list that a JSON source holds. */
export interface JsonElement {
  /** The line where the element starts; the first line is 1. */
  readonly line: number
  readonly value: unknown
}

/** The part of the text that is expected next. */
type Expected =
  | 'start'
  | 'first'
  | 'element'
  | 'after'
  | 'firstKey'
  | 'key'
  | 'colon'
  | 'member'
  | 'afterMember'
  | 'end'
  | 'line'

/** The member that holds the list of an object, and of a GeoJSON FeatureCollection. */
export const RESULTS = 'results'
export const FEATURES = 'features'
const SHAPE = `a JSON source must be a list of records, or an object whose "${RESULTS}" is one, or a GeoJSON FeatureCollection, or a record on each line`
const PLACES_OF_VALUES: ReadonlySet<Expected> = new Set([
  'first',
  'element',
  'firstKey',
  'key',
  'member',
  'line',
])

/** The place after a character of punctuation, by the place before it; a list has its own rules. */
const NEXT: Readonly<Record<string, Partial<Record<Expected, Expected>>>> = {
  '{': { start: 'firstKey' },
  '}': { firstKey: 'end', afterMember: 'end' },
  ':': { colon: 'member' },
  ',': { after: 'element', afterMember: 'key' },
}

/** A value whose end has not come yet. */
interface Open {
  readonly line: number
  text: string
  depth: number
  quoted: boolean
  escaped: boolean
}

/**
 * Splits a JSON text into the elements of its list. The list is the whole text, or the member `results` of an object or
 * `features` of a FeatureCollection. `onMember` gets the other members. For `members`, no element is parsed; for
 * `lines`, each line is an element. This is a parser of our own, because reports need the line where a record starts,
 * and for speed. It only finds the end of an element and leaves the element to JSON.parse, so it accepts what
 * JSON.parse accepts. It holds one element at a time.
 */
export function createJsonSplitter(
  shape: 'document' | 'lines' | 'members' = 'document',
  onMember: (name: string, value: unknown, line: number) => void = () => {},
) {
  let place: Expected = shape === 'lines' ? 'line' : 'start'
  let line = 1
  let member = ''
  /** The name of the member that holds the list; empty if the whole text is the list. */
  let list: string | undefined
  let isCollection = false
  let open: Open | undefined

  function refuseAt(found: string): never {
    if (place === 'start') throw new Refusal(SHAPE)
    throw new Refusal(`line ${line}: ${found} stands where JSON cannot have it; the source is damaged`)
  }

  /** The position after the open value, or -1 if the value continues in the next chunk. */
  function endOfValue(text: string, from: number, value: Open): number {
    for (let at = from; at < text.length; at++) {
      const character = text[at]
      if (character === '\n' && (value.quoted || value.depth > 0)) {
        if (shape === 'lines')
          throw new Refusal(
            `line ${line} does not hold a whole record, as the first line does; fetch it again`,
          )
        line++
      }
      if (value.quoted) {
        if (value.escaped) value.escaped = false
        else if (character === '\\') value.escaped = true
        else if (character === '"') {
          value.quoted = false
          if (value.depth === 0) return at + 1
        }
      } else if (character === '"') value.quoted = true
      else if (character === '{' || character === '[') {
        if (++value.depth > DEEPEST)
          throw new Refusal(
            `line ${line}: values are nested more than ${DEEPEST} deep, which is the most allowed`,
          )
      } else if (character === '}' || character === ']') {
        if (value.depth === 0) return at
        if (--value.depth === 0) return at + 1
      } else if (value.depth === 0 && /[,:\s]/.test(character ?? '')) return at
    }
    return -1
  }

  function settle({ text, line }: Open, elements: JsonElement[]): void {
    const isElement = place === 'first' || place === 'element'
    if (place === 'line' || (isElement && shape !== 'members'))
      elements.push({ line, value: parse(text, line) })
    if (isElement) place = 'after'
    else if (place === 'member') {
      const value = parse(text, line)
      isCollection ||= member === 'type' && value === 'FeatureCollection'
      onMember(member, value, line)
      place = 'afterMember'
    } else if (place !== 'line') {
      const key = parse(text, line)
      if (typeof key !== 'string') refuseAt(text.slice(0, 20))
      member = key
      place = 'colon'
    }
  }

  /** Consumes one character of punctuation; false if a value starts with it. */
  function takePunctuation(character: string): boolean {
    const isListed = place === 'member' && (member === RESULTS || member === FEATURES)
    const next = NEXT[character]?.[place]
    if (character === '[' && (isListed || (place === 'start' && shape !== 'members'))) {
      if (list !== undefined) {
        const fault = list === member ? `"${list}" occurs twice` : `"${list}" and "${member}" are both lists`
        throw new Refusal(`line ${line}: ${fault}; keep one of them`)
      }
      list = member
      place = 'first'
    } else if (character === ']' && (place === 'first' || place === 'after'))
      place = list === '' ? 'end' : 'afterMember'
    else if (next !== undefined) place = next
    else if (isListed && member === RESULTS)
      throw new Refusal(`line ${line}: "${RESULTS}" is not a list; ${SHAPE}`)
    else return false
    return true
  }

  return {
    push(text: string): JsonElement[] {
      const elements: JsonElement[] = []
      for (let at = 0; at < text.length; ) {
        if (open !== undefined) {
          const end = endOfValue(text, at, open)
          open.text += text.slice(at, end === -1 ? text.length : end)
          if (open.text.length > LONGEST_ROW)
            throw new Refusal(
              `the record that starts on line ${open.line} has more than the ${LONGEST_ROW} characters that are allowed`,
            )
          if (end === -1) break
          settle(open, elements)
          open = undefined
          at = end
          continue
        }
        const character = text[at] ?? ''
        if (character === '\n') line++
        else if (!/[ \t\r]/.test(character) && !takePunctuation(character)) {
          if (!PLACES_OF_VALUES.has(place) || /[,:\]}]/.test(character)) refuseAt(`"${character}"`)
          open = { line, text: '', depth: 0, quoted: false, escaped: false }
          continue
        }
        at++
      }
      return elements
    },
    /** The name of the member that holds the list. */
    listName: () => list,
    /** Throws {@link Refusal} if the text is incomplete or has no list. */
    end(): void {
      if (shape === 'lines' && open === undefined) return
      if (place !== 'end')
        throw new Refusal(`the source ends on line ${line} in the middle of its JSON; fetch it again`)
      if (list === undefined || (list === FEATURES && !isCollection)) throw new Refusal(SHAPE)
    },
  }
}

/** The value of a text; undefined if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Words that some programs write, although JSON does not have them. */
const NO_JSON = /(?<![\w.])-?(?:NaN|nan|Infinity|undefined|None|True|False)\b/

function parse(text: string, line: number): unknown {
  const value = parsed(text)
  if (value !== undefined) return value
  const bare = text.replace(/"(?:[^"\\]|\\.)*"?/gs, '""')
  const [word] = NO_JSON.exec(bare) ?? []
  if (word === undefined)
    throw new Refusal(`what starts on line ${line} is not JSON (${cut(text, 40)}); the source is damaged`)
  const before = bare.slice(0, bare.indexOf(word)).split('\n').length - 1
  throw new Refusal(`line ${line + before}: ${word} is no value of JSON; write null in its place`)
}

/** The records of a JSON source: of its list, of a GeoJSON FeatureCollection, or one on each line (NDJSON). */
export async function* jsonRows(
  { lines: [line = ''], whole }: BegunText,
  columns: Columns,
  onMember: (name: string, value: unknown) => void = () => {},
): AsyncGenerator<readonly SourceRow[]> {
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
    return columns.rowOf(line, columns.matchNames([...given.keys()]), name => given.get(name))
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
 * The fields of a GeoJSON feature (RFC 7946 3.2): its properties, the coordinates of its point, and its own id if the
 * properties have no id. Or the reason that it cannot be a record.
 */
function fieldsOfFeature(
  { id, geometry, properties }: Readonly<Record<string, unknown>>,
  { hasUuids }: Pick<Columns, 'hasUuids'>,
): Map<string, unknown> | string {
  if (properties !== null && !isObject(properties)) return 'has properties that are not an object'
  const fields = new Map<string, unknown>(Object.entries(properties ?? {}))
  // Programs number features, or name them "layer.17": such an id does not identify a record.
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
  // RFC 7946 has no "crs" any more, but programs still write the "crs" of GeoJSON 2008.
  if (member !== 'crs' || !isObject(value)) return
  const { name, code } = isObject(value.properties) ? value.properties : {}
  const system = cut(String(name ?? (code === undefined ? value.type : `EPSG:${code}`)), LONGEST_NAME)
  if (!WGS_84.test(system))
    throw new Refusal(
      `line ${line}: the coordinates are in ${system}; save it in WGS 84 (EPSG:4326), as GeoJSON requires`,
    )
}
