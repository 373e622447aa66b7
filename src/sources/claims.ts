import type { TObject } from 'typebox'
import { fieldsOf } from '../query/fields.ts'
import { flatColumnsOf } from '../query/flat-columns.ts'
import { suggestion } from '../values/text.ts'
import { Refusal } from './source-row.ts'

/** What a name of a source claims to supply. */
export interface Claim {
  /** A field, both of a position, a member of a field (`owner.name`), or an item of a list; none where the column is to be ignored. */
  readonly paths: readonly (readonly string[])[]
  /** The smaller wins. */
  readonly rank: number
}

/** Names of positions follow, each with a rank of its own. */
export const RANK = { mapped: 0, own: 1, alias: 2, words: 3, position: 4 }

/** Fields by columns of a source, as an operator assigns them: `position` is both fields of one, null ignores a column. */
export type ColumnMap = Readonly<Record<string, string | null>>

/** The part of a dataset's declaration that names are compared with. */
export interface Named {
  readonly record: TObject
  readonly columnAliases: Readonly<Record<string, string | null>>
}

/**
 * Returns what a name claims: by the operator's map, else a field's own name, else an alias (design 6), else the words of
 * either in any order, else a usual name of positions. Throws {@link Refusal} for a map that cannot be.
 */
export function claimsOf({ record, columnAliases }: Named, map: ColumnMap) {
  const fields = Object.keys(record.properties)
  const mapped = mappedPaths(map, record)
  // A mapped field has no other column: the operator's choice is the only one.
  const taken = new Set(mapped.flatMap(([, paths]) => paths).flat())
  const claims = new Map<string, Claim>()
  const byWords = new Map<string, Claim>()

  /** A later claim to a name takes the place of an earlier one. */
  function add(key: string, paths: Claim['paths'], rank: number): boolean {
    const isFree = paths.every(([field = '']) => fields.includes(field) && !taken.has(field))
    if (isFree) claims.set(key, { paths, rank })
    return isFree
  }

  function addHeading(name: string, paths: Claim['paths'], rank: number): void {
    const words = wordsOf(name)
    if (add(fold(name), paths, rank) && words !== '')
      byWords.set(words, { paths, rank: Math.max(rank, RANK.words) })
  }

  // A column for each item of a list says which records have it ("Glass": yes).
  for (const { name: field, kind, values = [] } of fieldsOf(record))
    for (const item of kind === 'list' ? values : [])
      for (const name of [item, field + item]) add(fold(name), [[field, item]], RANK.own)
  for (const [at, { name, paths }] of POSITION_NAMES.entries()) addHeading(name, paths, RANK.position + at)
  for (const [name, field] of Object.entries(columnAliases)) {
    if (field !== null && !fields.includes(field))
      throw new Error(`alias ${name}: there is no field ${field}`)
    addHeading(name, field === null ? [] : [[field]], RANK.alias)
  }
  for (const field of fields) addHeading(field, [[field]], RANK.own)
  for (const { name, path } of flatColumnsOf(record))
    if (path.length > 1) add(foldPath(name), [path], RANK.own)
  for (const [name, paths] of mapped)
    for (const key of [fold(name), foldPath(name)]) claims.set(key, { paths, rank: RANK.mapped })
  return (name: string): Claim | undefined =>
    claims.get(foldPath(name)) ??
    claims.get(fold(name)) ??
    (name.length <= LONGEST_NAME ? byWords.get(wordsOf(name)) : undefined)
}

/** What an operator may assign a column to: the fields, and `position` for the two fields of one. */
export function mappableFields({ properties }: TObject): string[] {
  const fields = Object.keys(properties)
  return POSITION.every(field => fields.includes(field)) ? [...fields, 'position'] : fields
}

function mappedPaths(map: ColumnMap, record: TObject): [name: string, paths: Claim['paths']][] {
  const allowed = mappableFields(record)
  for (const [name, field] of Object.entries(map)) {
    if (field === null || allowed.includes(field)) continue
    const hint = suggestion(field, allowed, meant => ` (${meant} may be meant)`)
    throw new Refusal(
      `--map gives "${name}" to a field ${field}, but there is none${hint}; the fields are ${allowed.join(', ')}`,
    )
  }
  const meantBy = (field: string | null) => (field === 'position' ? POSITION : field === null ? [] : [field])
  const fields = Object.values(map).flatMap(meantBy)
  const twice = fields.find((field, at) => fields.indexOf(field) < at)
  if (twice !== undefined) throw new Refusal(`--map assigns two columns to the field ${twice}; keep one`)
  return Object.entries(map).map(([name, field]) => [name, meantBy(field).map(one => [one])])
}

/** Characters that are kept, and shown in messages, of a source's own name. */
export const LONGEST_NAME = 80

/** Folds a name for comparison: without case, blanks and punctuation. */
export const fold = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

const foldPath = (name: string) => name.split('.').map(fold).join('.')

/** Words of headings that mean the same as another. Articles and units mean nothing there. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    color: 'colour',
    latitude: 'lat',
    longitude: 'lon lng long',
    registered: 'reg regd registration',
    '': 'a an of the no number coord coordinate wgs 84 wgs84 epsg 4326 deg degrees decimal dd cc kg g km',
  }).flatMap(([word, others]) => others.split(' ').map(other => [other, word] as const)),
)

/** The words of a heading in a fixed order: headings with the same words mean the same. */
function wordsOf(heading: string): string {
  const words = heading
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map(word => WORDS.get(word) ?? word)
  return [...new Set(words)].filter(Boolean).sort().join(' ')
}

/** A position, of which one column supplies both fields. */
export const POSITION = ['latitude', 'longitude'] as const

/** Other names of columns with positions. The surest come first: X, Y and the names of a grid often hold metres. */
const POSITION_NAMES = (
  [
    ['geo point 2d,geo point,geopoint,lat long,latlong,latlon,latlng,coordinates,coords', POSITION],
    ['wkt,geometry,geom,the geom', POSITION],
    ['point y,y,northing,northings', ['latitude']],
    ['point x,x,easting,eastings', ['longitude']],
  ] as const
).flatMap(([names, fields]) => names.split(',').map(name => ({ name, paths: fields.map(field => [field]) })))
