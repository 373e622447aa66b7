import type { TObject } from 'typebox'
import { fieldsOf } from '../query/fields.ts'
import { flatColumnsOf } from '../query/layout.ts'
import { cut, inWords, suggestion } from '../values/text.ts'
import { addTo } from '../values/values.ts'
import { isBlank, Refusal, type SourceRow } from './source-row.ts'

/** The most unknown names that are kept: a source whose keys are data must not fill the memory. */
const MOST_NAMES = 100
const MOST_REMEMBERED = 1000
/** Characters that are kept of the first value of a column. */
const LONGEST_SAMPLE = 200

const NOTHING: Claim = { paths: [], rank: 0 }

/** Maps the column names of a source to fields, and remembers the names in the source. */
export type Columns = ReturnType<typeof createColumns>

/** Maps column names to the fields that they claim. A source must have the `required` fields. */
export function createColumns(dataset: Named, map: ColumnMap = {}, required: readonly string[] = []) {
  const { properties } = dataset.record
  const { id = {} } = properties
  const fields = Object.keys(properties)
  const claimBy = claimsOf(dataset, map)
  const unmet = new Set(Object.keys(map).map(fold))
  const known = new Map<string, Claim>()
  const taken = new Map<string, readonly string[]>()
  const ignored = new Map<string, unknown>()
  const notes: string[] = []
  let last: { readonly names: readonly string[]; readonly match: ColumnMatch } | undefined

  function claimOf(name: string): Claim {
    const remembered = known.get(name)
    if (remembered !== undefined) return remembered
    const claim = claimBy(name)
    if (claim === undefined) ignore(name)
    unmet.delete(fold(name))
    if (known.size < MOST_REMEMBERED && name.length <= LONGEST_NAME) known.set(name, claim ?? NOTHING)
    return claim ?? NOTHING
  }

  function ignore(name: string): void {
    const shown = cut(name, LONGEST_NAME)
    if (ignored.size < MOST_NAMES && !ignored.has(shown)) ignored.set(shown, undefined)
  }

  function matchNames(names: readonly string[]): ColumnMatch {
    // Most records of a source have the same names.
    if (last?.names.length === names.length && last.names.every((name, at) => name === names[at]))
      return last.match
    const claimants = new Map<string, Claimant[]>()
    for (const name of names) {
      const { paths, rank } = claimOf(name)
      for (const path of paths) addTo(claimants, path.join('.'), { name, path, rank })
    }
    const match = matchOf(claimants, fields)
    for (const name of names) {
      const its = match.uses.get(name)
      if (its === undefined && claimOf(name).paths.length > 0) ignore(name)
      if (its !== undefined && taken.size < MOST_REMEMBERED) taken.set(cut(name, LONGEST_NAME), its)
    }
    last = { names, match }
    return match
  }

  return {
    /** The dataset's fields, in their order. */
    fields,
    required,
    /** The arguments to create the same mapping again, for trying names. */
    madeOf: [dataset, map, required] as const,
    /** The columns of an export to CSV, in their order. */
    exported: flatColumnsOf(dataset.record).map(({ name }) => name),
    /** Whether the field `id` is a UUID. */
    hasUuids: 'format' in id && id.format === 'uuid',
    /** Decisions that a reader made about the source by itself, one sentence each. */
    notes,
    /** Names that no field takes, in order of appearance, each with its first value. */
    ignored,
    /** Assigns columns to fields. Throws {@link Refusal} if two columns claim the same field or member. */
    matchNames,
    /** Whether the operator named this column and the source has not had it yet. */
    isWanted: (name: string) => unmet.has(fold(name)),
    /** Remembers a name that no field takes. */
    ignore,
    /** The row of a record; `cellOf` returns the value of a column. */
    rowOf(line: number, { supplies, columns }: ColumnMatch, cellOf: (name: string) => unknown): SourceRow {
      for (const [name, sample] of ignored) {
        const value = sample === undefined ? cellOf(name) : undefined
        if (!isBlank(value))
          ignored.set(name, cut(typeof value === 'string' ? value : JSON.stringify(value), LONGEST_SAMPLE))
      }
      let own: ReadonlyMap<string, string> = columns
      const values = supplies.map(({ field, first, second }) => {
        const value = supplied(first, cellOf)
        if (second === undefined || !isBlank(value)) return value
        own = new Map(own).set(field, second)
        return cellOf(second)
      })
      return { line, values, columns: own }
    },
    /** The names in the source, in order of appearance. */
    names: () => [...known.keys()],
    /** The columns that fields take, each with its field, in order of appearance. */
    recognised: () => [...taken].flatMap(([column, its]) => its.map(field => ({ column, field }))),
    /** Throws {@link Refusal} if the source does not have a mapped name. */
    checkMapped(): void {
      for (const [name, field] of Object.entries(map))
        if (unmet.has(fold(name)))
          throw new Refusal(
            `${field === null ? '--ignore' : '--map'} names "${name}", which the source does not have; it has ${namesFound([...known.keys()])}`,
          )
    },
  }
}

/** The fields that the columns of a source supply. */
type ColumnMatch = ReturnType<typeof matchOf>

function matchOf(claimants: ReadonlyMap<string, readonly Claimant[]>, fields: readonly string[]) {
  const assignment = new Map<string, readonly string[]>()
  const members: Claimant[] = []
  const uses = new Map<string, string[]>()
  for (const [target, all] of claimants) {
    const its = chosen(target, all, claimants)
    if (its.length > 0)
      assignment.set(
        target,
        its.map(({ name }) => name),
      )
    for (const { name } of its) addTo(uses, name, target)
    members.push(...its.filter(isMember))
  }
  return {
    /** The columns of each field or member (`owner.name`); the first column that is not blank supplies the value. */
    assignment,
    /** The fields, members or items that each used column supplies. */
    uses,
    /** The first column of each field. */
    columns: new Map([...assignment].map(([target, [first = target]]) => [target, first])),
    /** For each field, its first supply, if the source has one, and a second column for cells that are blank in the first. */
    supplies: fields.map(field => {
      const its = members.filter(({ path }) => path[0] === field)
      const [first = its.map(({ name, path }) => [path[1] ?? '', name] as const), second] =
        assignment.get(field) ?? []
      return { field, first, second }
    }),
  }
}

/** A column that claims a field, or a member of a field. */
interface Claimant {
  readonly name: string
  readonly path: readonly string[]
  readonly rank: number
}

/**
 * Chooses the columns of a field or member: the column with its own name and an alias that fills the blanks, else the
 * surest column. A field with its own column takes no columns for its members. Throws {@link Refusal}.
 */
function chosen(target: string, all: readonly Claimant[], claimants: ReadonlyMap<string, unknown>) {
  const least = Math.min(...all.map(({ rank }) => rank))
  const best = all
    .filter(({ rank }) => rank <= RANK.alias || rank === least)
    .toSorted((a, b) => a.rank - b.rank)
  const [first, second, third] = best
  const isOfWhole = (claimant: Claimant) => isMember(claimant) && claimants.has(claimant.path[0] ?? '')
  if (isHalfPosition(least, claimants) || best.some(isOfWhole)) return []
  if (first && second && (first.rank === second.rank || third !== undefined))
    throw new Refusal(
      `"${cut(first.name, LONGEST_NAME)}" and "${cut((third ?? second).name, LONGEST_NAME)}" both match the field ${target}; rename one, ignore one with --ignore, or choose with --map`,
    )
  return best
}

const isMember = ({ path }: Claimant) => path.length > 1

/** Whether a usual name supplies only half of a position: a column X without Y may hold marks. */
const isHalfPosition = (rank: number, claimants: ReadonlyMap<string, unknown>) =>
  rank >= RANK.position && !POSITION.every(one => claimants.has(one))

/** Lists names for a message, up to a limit. */
export function namesFound(names: readonly string[]): string {
  const found = { count: names.length, first: names }
  return names.length === 0 ? 'none' : inWords(found, name => cut(name, LONGEST_NAME), 30)
}

/** The supply of a value: one column, or a column for each member of an object. */
type Supply = string | readonly (readonly [member: string, column: string])[]

/** An object with only blank members is blank, so its value is undefined. */
function supplied(supply: Supply, cellOf: (name: string) => unknown): unknown {
  if (typeof supply === 'string') return cellOf(supply)
  const values = supply.map(([member, column]) => [member, cellOf(column)] as const)
  return values.every(([, value]) => isBlank(value)) ? undefined : Object.fromEntries(values)
}

/** The fields that a column name claims to supply. */
interface Claim {
  /**
   * A field, both fields of a position, a member of a field (`owner.name`), or an item of a list; empty to ignore the
   * column.
   */
  readonly paths: readonly (readonly string[])[]
  /** The smaller rank wins. */
  readonly rank: number
}

/** Names of positions have the following ranks, one rank each. */
const RANK = { mapped: 0, own: 1, alias: 2, words: 3, position: 4 }

/**
 * Fields by columns of a source, as an operator assigns them: `position` stands for latitude and longitude, null
 * ignores a column.
 */
export type ColumnMap = Readonly<Record<string, string | null>>

/** The part of a dataset's declaration that names are compared with. */
interface Named {
  readonly record: TObject
  readonly columnAliases: Readonly<Record<string, string | null>>
}

/**
 * Returns the function that finds the claim of a name: by the operator's map, else a field's own name, else an alias
 * (design 6), else the words of either in any order, else a usual name of positions. Throws {@link Refusal} for an
 * impossible map.
 */
function claimsOf({ record, columnAliases }: Named, map: ColumnMap) {
  const fields = Object.keys(record.properties)
  const mapped = mappedPaths(map, record)
  // A mapped field has no other column: the operator's choice is the only one.
  const taken = new Set(mapped.flatMap(([, paths]) => paths).flat())
  const claims = new Map<string, Claim>()
  const byWords = new Map<string, Claim>()

  /** A later claim to a name replaces an earlier claim. */
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
  // Members of members are not read: no dataset has any.
  for (const { name, path } of flatColumnsOf(record))
    if (path.length === 2) add(foldPath(name), [path], RANK.own)
  for (const [name, paths] of mapped)
    for (const key of [fold(name), foldPath(name)]) claims.set(key, { paths, rank: RANK.mapped })
  return (name: string): Claim | undefined =>
    claims.get(foldPath(name)) ??
    claims.get(fold(name)) ??
    (name.length <= LONGEST_NAME ? byWords.get(wordsOf(name)) : undefined)
}

/** The names that an operator may assign a column to: the fields, and `position` for latitude and longitude. */
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

/** Characters of a source's own column name that are kept and shown in messages. */
export const LONGEST_NAME = 80

/** Folds a name for comparison: without case, blanks and punctuation. */
export const fold = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

const foldPath = (name: string) => name.split('.').map(fold).join('.')

/** Words of headings, each with other words of the same meaning. Articles and units are ignored. */
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

/** The fields of a position. One column may supply both. */
const POSITION = ['latitude', 'longitude'] as const

/** Other names of columns with positions. The surest come first: X, Y and the names of a grid often hold metres. */
const POSITION_NAMES = (
  [
    ['geo point 2d,geo point,geopoint,lat long,latlong,latlon,latlng,coordinates,coords', POSITION],
    ['wkt,geometry,geom,the geom', POSITION],
    ['point y,y,northing,northings', ['latitude']],
    ['point x,x,easting,eastings', ['longitude']],
  ] as const
).flatMap(([names, fields]) => names.split(',').map(name => ({ name, paths: fields.map(field => [field]) })))
