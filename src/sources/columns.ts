import type { TObject } from 'typebox'
import { KNOWN_VALUES } from '../query/fields.ts'
import { flatColumnsOf } from '../query/flat-columns.ts'
import { cut, suggestion } from '../values/text.ts'
import { POSITION, POSITION_NAMES, wordsOf } from './headings.ts'
import { type Member, memberReader, type Supplies } from './members.ts'
import { Refusal } from './source-row.ts'

/** What the columns of a source mean. */
export interface ColumnMatch extends Supplies {
  /** The columns that supply each field; the first that is not blank supplies the value. */
  readonly assignment: ReadonlyMap<string, readonly string[]>
  /** The columns that supply the members of each field that has any. */
  readonly members: ReadonlyMap<string, readonly Member[]>
  isRead(name: string): boolean
}

/** Fields by columns of a source, as an operator assigns them: `position` is both fields of one, null ignores a column. */
export type ColumnMap = Readonly<Record<string, string | null>>

/** Maps the column names of a source to fields, and remembers what it met. */
export interface Columns {
  /** The dataset's fields, in their order. */
  readonly fields: readonly string[]
  /** The columns of an export to CSV, in their order. */
  readonly exported: readonly string[]
  /** Whether the field `id` is a UUID. */
  readonly hasUuids: boolean
  /** Decisions that a reader made about the source by itself, a sentence each. */
  readonly notes: string[]
  /** Names that no field takes, in order of appearance, each with its first value. */
  readonly ignored: ReadonlyMap<string, unknown>
  /** Assigns columns to fields. Throws {@link Refusal} where two columns claim one field, or a member of one. */
  matchNames(names: readonly string[]): ColumnMatch
  /** Whether the operator named a column that was not met yet. */
  isWanted(name: string): boolean
  /** Takes the first value of a column that no field takes. */
  sample(name: string, value: unknown): void
  /** The names that were met, in order of appearance. */
  names(): string[]
  /** The columns that fields take, each with its field, in order of appearance. */
  recognised(): { readonly column: string; readonly field: string }[]
  /** The same mapping, without what this one met: to try names. */
  copy(): Columns
  /** Throws {@link Refusal} if the source does not have a mapped name. */
  checkMapped(): void
}

interface Claim {
  readonly fields: readonly string[]
  readonly rank: number
}

/** The smaller rank wins. Names of positions follow, each with a rank of its own. */
const RANK = { mapped: 0, own: 1, alias: 2, words: 3, position: 4 }

/** The most unknown names that are kept: a source whose keys are data must not fill the memory. */
const MOST_NAMES = 100
const MOST_REMEMBERED = 1000
/** Characters that are kept, and shown in messages, of a source's own name. */
export const LONGEST_NAME = 80
/** Characters that are kept of the first value of a column. */
const LONGEST_SAMPLE = 200

interface Named {
  readonly record: TObject
  readonly columnAliases: Readonly<Record<string, string | null>>
}

/**
 * Matches names of a source with fields: by the operator's map, else a field's own name, else an alias (design 6), else the
 * words of either in any order, else a usual name of positions.
 */
export function createColumns(dataset: Named, map: ColumnMap = {}): Columns {
  const fields = Object.keys(dataset.record.properties)
  const flat = flatColumnsOf(dataset.record)
  const { claims, byWords } = claimsOf(dataset, map)
  const memberPath = memberReader(flat, fold, itemPaths(dataset.record, claims))
  const unmet = new Set(Object.keys(map).map(fold))
  const known = new Map<string, Claim | null>()
  const taken = new Map<string, readonly string[]>()
  const ignored = new Map<string, unknown>()
  let last: { readonly names: readonly string[]; readonly match: ColumnMatch } | undefined

  function claimOf(name: string): Claim | null {
    const remembered = known.get(name)
    if (remembered !== undefined) return remembered
    const folded = fold(name)
    const byName = claims.get(folded)
    const claim = byName === undefined && name.length <= LONGEST_NAME ? byWords.get(wordsOf(name)) : byName
    if (claim === undefined) ignore(name)
    unmet.delete(folded)
    if (known.size < MOST_REMEMBERED && name.length <= LONGEST_NAME) known.set(name, claim ?? null)
    return claim ?? null
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
    const members = new Map<string, Member[]>()
    for (const name of names) {
      const [field, ...path] = memberPath(name) ?? []
      if (field === undefined) {
        const { fields, rank } = claimOf(name) ?? { fields: [], rank: 0 }
        for (const one of fields) addTo(claimants, one, { name, rank })
        continue
      }
      const twin = members.get(field)?.find(other => other.path.join('.') === path.join('.'))
      if (twin !== undefined) throw bothMatch(twin.name, name, [field, ...path].join('.'))
      addTo(members, field, { name, path })
    }
    const assignment = chosen(claimants)
    const uses = new Map<string, string[]>()
    for (const [field, its] of assignment) for (const name of its) addTo(uses, name, field)
    for (const [field, its] of members)
      if (!assignment.has(field))
        for (const { name, path } of its) addTo(uses, name, [field, ...path].join('.'))
    for (const name of names) {
      const its = uses.get(name)
      if (its === undefined && (claimOf(name) !== null || memberPath(name) !== undefined)) ignore(name)
      if (its !== undefined && taken.size < MOST_REMEMBERED) taken.set(cut(name, LONGEST_NAME), its)
    }
    const supplies = fields.map(field => {
      const [first, second] = assignment.get(field) ?? []
      return { field, first, second, members: members.get(field) ?? [] }
    })
    const columns = new Map([...assignment].map(([field, [first = field]]) => [field, first]))
    last = { names, match: { assignment, members, supplies, columns, isRead: name => uses.has(name) } }
    return last.match
  }

  return {
    fields,
    exported: flat.map(({ name }) => name),
    hasUuids: (dataset.record.properties.id as { format?: string } | undefined)?.format === 'uuid',
    notes: [],
    ignored,
    matchNames,
    isWanted: name => unmet.has(fold(name)),
    sample(name, value) {
      ignore(name)
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      if (ignored.has(name) && ignored.get(name) === undefined) ignored.set(name, cut(text, LONGEST_SAMPLE))
    },
    names: () => [...known.keys()],
    recognised: () => [...taken].flatMap(([column, its]) => its.map(field => ({ column, field }))),
    copy: () => createColumns(dataset, map),
    checkMapped() {
      for (const [name, field] of Object.entries(map))
        if (unmet.has(fold(name)))
          throw new Refusal(
            `${field === null ? '--ignore' : '--map'} names "${name}", which the source does not have; it has ${namesFound([...known.keys()])}`,
          )
    },
  }
}

function addTo<T>(lists: Map<string, T[]>, key: string, one: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [one])
  else list.push(one)
}

/** What names claim: by the name without case and punctuation, and by its words. */
function claimsOf({ record, columnAliases }: Named, map: ColumnMap) {
  const fields = Object.keys(record.properties)
  const mapped = mappedNames(map, record)
  // A mapped field has no other column: the operator's choice is the only one.
  const taken = new Set([...mapped.values()].flatMap(claim => claim?.fields ?? []))
  const isFree = (claim: Claim | null) =>
    claim === null || claim.fields.every(field => fields.includes(field) && !taken.has(field))
  const aliases = Object.entries(columnAliases).map(([name, field]): [string, Claim | null] => {
    if (field !== null && !fields.includes(field))
      throw new Error(`alias ${name}: there is no field ${field}`)
    return [name, field === null ? null : { fields: [field], rank: RANK.alias }]
  })
  const all: readonly (readonly [string, Claim | null])[] = [
    ...POSITION_NAMES.map(({ name, fields }, at) => [name, { fields, rank: RANK.position + at }] as const),
    ...aliases,
    ...fields.map(field => [field, { fields: [field], rank: RANK.own }] as const),
  ]
  const claims = new Map<string, Claim | null>()
  const byWords = new Map<string, Claim | null>()
  for (const [name, claim] of all) {
    if (!isFree(claim)) continue
    claims.set(fold(name), claim)
    const words = wordsOf(name)
    if (words !== '') byWords.set(words, claim && { ...claim, rank: Math.max(claim.rank, RANK.words) })
  }
  for (const [name, claim] of mapped) claims.set(name, claim)
  return { claims, byWords }
}

/** The paths of the items of lists: a column for each says which records have it ("Glass": yes). */
function itemPaths({ properties }: TObject, others: ReadonlyMap<string, unknown>) {
  const paths = new Map<string, readonly [field: string, value: string]>()
  for (const [field, { items }] of Object.entries(properties as Record<string, { items?: ItemSchema }>))
    for (const value of items?.enum ?? items?.[KNOWN_VALUES] ?? [])
      for (const name of [fold(value), fold(field + value)])
        if (!others.has(name)) paths.set(name, [field, value])
  return paths
}

interface ItemSchema {
  readonly enum?: readonly string[]
  readonly [KNOWN_VALUES]?: readonly string[]
}

interface Claimant {
  readonly name: string
  readonly rank: number
}

/** The columns of each field: its own and an alias, which fills its blanks, else the surest. Throws {@link Refusal}. */
function chosen(claimants: ReadonlyMap<string, readonly Claimant[]>) {
  const assignment = new Map<string, readonly string[]>()
  for (const [field, all] of claimants) {
    const least = Math.min(...all.map(({ rank }) => rank))
    const [first, second, third] = all
      .filter(({ rank }) => rank <= RANK.alias || rank === least)
      .toSorted((a, b) => a.rank - b.rank)
    if (first === undefined || isHalfPosition(least, claimants)) continue
    if (second !== undefined && (first.rank === second.rank || third !== undefined))
      throw bothMatch(first.name, (third ?? second).name, field)
    assignment.set(field, second === undefined ? [first.name] : [first.name, second.name])
  }
  return assignment
}

/** Whether a field of a position has a usual name of one without the other: a column X alone may be a mark. */
const isHalfPosition = (rank: number, claimants: ReadonlyMap<string, unknown>) =>
  rank >= RANK.position && !POSITION.every(one => claimants.has(one))

const bothMatch = (one: string, other: string, field: string) =>
  new Refusal(
    `"${cut(one, LONGEST_NAME)}" and "${cut(other, LONGEST_NAME)}" both match the field ${field}; rename one, ignore one with --ignore, or choose with --map`,
  )

/** Lists names for a message, up to a limit. */
export function namesFound(names: readonly string[]): string {
  const more = names.length > 30 ? ` and ${names.length - 30} more` : ''
  return names.length === 0
    ? 'none'
    : names
        .slice(0, 30)
        .map(name => cut(name, LONGEST_NAME))
        .join(', ') + more
}

/** What an operator may assign a column to: the fields, and `position` for the two fields of one. */
export function mappableFields({ properties }: TObject): string[] {
  const fields = Object.keys(properties)
  return POSITION.every(field => fields.includes(field)) ? [...fields, 'position'] : fields
}

function mappedNames(map: ColumnMap, record: TObject): Map<string, Claim | null> {
  const allowed = mappableFields(record)
  const claims = Object.entries(map).map(([name, field]): [string, Claim | null] => {
    if (field === null) return [fold(name), null]
    if (allowed.includes(field))
      return [fold(name), { fields: field === 'position' ? POSITION : [field], rank: RANK.mapped }]
    const hint = suggestion(field, allowed, meant => ` (${meant} may be meant)`)
    throw new Refusal(
      `--map gives "${name}" to a field ${field}, but there is none${hint}; the fields are ${allowed.join(', ')}`,
    )
  })
  const fields = claims.flatMap(([, claim]) => claim?.fields ?? [])
  const twice = fields.find((field, at) => fields.indexOf(field) < at)
  if (twice !== undefined) throw new Refusal(`--map assigns two columns to the field ${twice}; keep one`)
  return new Map(claims)
}

/** Folds a name for comparison: without case, blanks and punctuation. */
export const fold = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
