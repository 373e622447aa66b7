import { flatColumnsOf } from '../query/flat-columns.ts'
import { cut } from '../values/text.ts'
import {
  type Claim,
  type ColumnMap,
  claimsOf,
  fold,
  LONGEST_NAME,
  type Named,
  POSITION,
  RANK,
} from './claims.ts'
import { isBlank, Refusal, type SourceRow } from './source-row.ts'

/** The most unknown names that are kept: a source whose keys are data must not fill the memory. */
const MOST_NAMES = 100
const MOST_REMEMBERED = 1000
/** Characters that are kept of the first value of a column. */
const LONGEST_SAMPLE = 200

const NOTHING: Claim = { paths: [], rank: 0 }

/** Maps the column names of a source to fields, and remembers what it met. */
export type Columns = ReturnType<typeof createColumns>

/** Maps names by what they claim. A source may not lack the `required` fields. */
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
    /** What the same mapping can be made of once more: to try names. */
    madeOf: [dataset, map, required] as const,
    /** The columns of an export to CSV, in their order. */
    exported: flatColumnsOf(dataset.record).map(({ name }) => name),
    /** Whether the field `id` is a UUID. */
    hasUuids: 'format' in id && id.format === 'uuid',
    /** Decisions that a reader made about the source by itself, a sentence each. */
    notes,
    /** Names that no field takes, in order of appearance, each with its first value. */
    ignored,
    /** Assigns columns to fields. Throws {@link Refusal} where two columns claim one field, or a member of one. */
    matchNames,
    /** Whether the operator named a column that was not met yet. */
    isWanted: (name: string) => unmet.has(fold(name)),
    /** Takes the first value of a column that no field takes. */
    sample(name: string, value: unknown): void {
      ignore(name)
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      if (ignored.has(name) && ignored.get(name) === undefined) ignored.set(name, cut(text, LONGEST_SAMPLE))
    },
    /** The names that were met, in order of appearance. */
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

/** What the columns of a source mean. */
export type ColumnMatch = ReturnType<typeof matchOf>

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
    /** The columns of each field, or member of one (`owner.name`); the first that is not blank supplies the value. */
    assignment,
    /** The field or item that each used column supplies. */
    uses,
    /** The first column of each field. */
    columns: new Map([...assignment].map(([target, [first = target]]) => [target, first])),
    /** For each field its source, if the file has any, and a second column for cells that are blank in the first. */
    supplies: fields.map(field => {
      const [first = membersOf(members.filter(({ path }) => path[0] === field)), second] =
        assignment.get(field) ?? []
      return { field, first, second }
    }),
  }
}

function addTo<T>(lists: Map<string, T[]>, key: string, one: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [one])
  else list.push(one)
}

/** A column that claims a field, or a member of one. */
interface Claimant {
  readonly name: string
  readonly path: readonly string[]
  readonly rank: number
}

/**
 * The columns of a field or member: its own and an alias, which fills its blanks, else the surest. A field with a column of
 * its own takes none for its members. Throws {@link Refusal}.
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

/** Whether a field of a position has a usual name of one without the other: a column X alone may be a mark. */
const isHalfPosition = (rank: number, claimants: ReadonlyMap<string, unknown>) =>
  rank >= RANK.position && !POSITION.every(one => claimants.has(one))

/** Lists names for a message, up to a limit. */
export function namesFound(names: readonly string[]): string {
  const more = names.length > 30 ? ` and ${names.length - 30} more` : ''
  const first = names.slice(0, 30).map(name => cut(name, LONGEST_NAME))
  return names.length === 0 ? 'none' : first.join(', ') + more
}

/** What supplies a value: a column, or for an object a supply of each member. */
type Supply = string | readonly (readonly [member: string, supply: Supply])[]

function membersOf(claimants: readonly Claimant[], depth = 1): Supply {
  const inner = new Map<string, Claimant[]>()
  for (const claimant of claimants) addTo(inner, claimant.path[depth] ?? '', claimant)
  return [...inner].map(([member, its]) => {
    const column = its.find(({ path }) => path.length === depth + 1)?.name
    return [member, column ?? membersOf(its, depth + 1)]
  })
}

/** The row of a record; `cellOf` gives the value of a column. */
export function rowOf(
  line: number,
  { supplies, columns }: ColumnMatch,
  cellOf: (name: string) => unknown,
): SourceRow {
  let own: ReadonlyMap<string, string> = columns
  const values = supplies.map(({ field, first, second }) => {
    const value = supplied(first, cellOf)
    if (second === undefined || !isBlank(value)) return value
    own = new Map(own).set(field, second)
    return cellOf(second)
  })
  return { line, values, columns: own }
}

/** An object is undefined where all of its members are blank, as it then is. */
function supplied(supply: Supply, cellOf: (name: string) => unknown): unknown {
  if (typeof supply === 'string') return cellOf(supply)
  if (supply.length === 0) return undefined
  const values = supply.map(([member, its]) => [member, supplied(its, cellOf)] as const)
  return values.every(([, value]) => isBlank(value)) ? undefined : Object.fromEntries(values)
}
