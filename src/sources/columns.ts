import type { TObject } from 'typebox'
import { flatColumnsOf } from '../query/flat-columns.ts'
import { cut, nearest } from '../values/text.ts'
import { type Member, memberReader } from './members.ts'
import { Refusal } from './source-row.ts'

/** The columns of a source that supply each field; the first that is not blank supplies the value. */
export type Assignment = ReadonlyMap<string, readonly string[]>

/** Maps the column names of a source to fields. */
export interface Columns {
  /** The dataset's fields, in their order. */
  readonly fields: readonly string[]
  /** The columns of an export to CSV, in their order. */
  readonly exported: readonly string[]
  /** Whether the field `id` is a UUID. */
  readonly hasUuids: boolean
  /** Assigns columns to fields. Throws {@link Refusal} where two columns claim one field. */
  assign(names: readonly string[]): Assignment
  /** The columns that supply the members of each field that has any. Throws {@link Refusal} where two claim one member. */
  members(names: readonly string[]): ReadonlyMap<string, readonly Member[]>
  /** Names that no field takes, in order of appearance. */
  ignored(): string[]
  /** Throws {@link Refusal} if the source does not have a mapped name. */
  checkMapped(): void
}

type Claim = { readonly field: string; readonly rank: 'mapped' | 'own' | 'alias' }

/** The most unknown names that are kept: a source whose keys are data must not fill the memory. */
const MOST_NAMES = 100
const MOST_REMEMBERED = 1000
/** Characters that are kept, and shown in messages, of a source's own name. */
export const LONGEST_NAME = 80

/** Matches names of a source with fields: by the operator's map, else a field's own name, else an alias (design 6). */
export function createColumns(
  dataset: { readonly record: TObject; readonly columnAliases: Readonly<Record<string, string | null>> },
  map: Readonly<Record<string, string>> = {},
): Columns {
  const fields = Object.keys(dataset.record.properties)
  const flat = flatColumnsOf(dataset.record)
  const memberPath = memberReader(flat, fold)
  const mapped = mappedNames(map, fields)
  const claims = new Map<string, Claim | null>()
  for (const [name, field] of Object.entries(dataset.columnAliases)) {
    if (field !== null && !fields.includes(field))
      throw new Error(`alias ${name}: there is no field ${field}`)
    claims.set(fold(name), field === null ? null : { field, rank: 'alias' })
  }
  for (const field of fields) claims.set(fold(field), { field, rank: 'own' })
  // A mapped field has no other column: the operator's choice is the only one.
  const taken = new Set(mapped.values())
  for (const [name, claim] of claims) if (claim !== null && taken.has(claim.field)) claims.delete(name)
  for (const [name, field] of mapped) claims.set(name, { field, rank: 'mapped' })

  const known = new Map<string, Claim | null>()
  const ignored = new Set<string>()
  const met = new Set<string>()

  function claimOf(name: string): Claim | null {
    const remembered = known.get(name)
    if (remembered !== undefined) return remembered
    const folded = fold(name)
    const claim = claims.get(folded)
    if (claim === undefined && ignored.size < MOST_NAMES) ignored.add(cut(name, LONGEST_NAME))
    if (mapped.has(folded)) met.add(folded)
    if (known.size < MOST_REMEMBERED && name.length <= LONGEST_NAME) known.set(name, claim ?? null)
    return claim ?? null
  }

  return {
    fields,
    exported: flat.map(({ name }) => name),
    hasUuids: (dataset.record.properties.id as { format?: string } | undefined)?.format === 'uuid',
    assign(names) {
      const byField = new Map<string, { name: string; rank: Claim['rank'] }[]>()
      for (const name of names) {
        if (memberPath(name) !== undefined) continue
        const claim = claimOf(name)
        if (claim === null) continue
        const claimants = byField.get(claim.field)
        if (claimants === undefined) byField.set(claim.field, [{ name, rank: claim.rank }])
        else if (claim.rank === 'alias') claimants.push({ name, rank: claim.rank })
        else claimants.unshift({ name, rank: claim.rank })
      }
      for (const [field, [first, second, third]] of byField)
        if (second !== undefined && (first?.rank === second.rank || third !== undefined))
          throw bothMatch(first?.name ?? '', (third ?? second).name, field)
      return new Map([...byField].map(([field, claimants]) => [field, claimants.map(({ name }) => name)]))
    },
    members(names) {
      const byField = new Map<string, Member[]>()
      for (const name of names) {
        const [field, ...path] = memberPath(name) ?? []
        if (field === undefined) continue
        const others = byField.get(field) ?? []
        const twin = others.find(other => other.path.join('.') === path.join('.'))
        if (twin !== undefined) throw bothMatch(twin.name, name, [field, ...path].join('.'))
        byField.set(field, [...others, { name, path }])
      }
      return byField
    },
    ignored: () => [...ignored],
    checkMapped() {
      for (const name of Object.keys(map))
        if (!met.has(fold(name)))
          throw new Refusal(
            `--map names "${name}", which the source does not have; it has ${namesFound([...known.keys()])}`,
          )
    },
  }
}

const bothMatch = (one: string, other: string, field: string) =>
  new Refusal(
    `"${cut(one, LONGEST_NAME)}" and "${cut(other, LONGEST_NAME)}" both match the field ${field}; rename one, or choose with --map`,
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

function mappedNames(map: Readonly<Record<string, string>>, fields: readonly string[]): Map<string, string> {
  const mapped = new Map<string, string>()
  for (const [name, field] of Object.entries(map)) {
    if (!fields.includes(field)) {
      const meant = nearest(field, fields)
      throw new Refusal(
        `--map gives "${name}" to a field ${field}, but there is none${meant ? ` (${meant} may be meant)` : ''}; the fields are ${fields.join(', ')}`,
      )
    }
    if ([...mapped.values()].includes(field))
      throw new Refusal(`--map assigns two columns to the field ${field}; keep one`)
    mapped.set(fold(name), field)
  }
  return mapped
}

/** Folds a name for comparison: without case, blanks and punctuation. */
export const fold = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
