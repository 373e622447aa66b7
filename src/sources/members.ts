import type { FlatColumn } from '../query/flat-columns.ts'
import { isBlank, type SourceRow } from './source-row.ts'

/** A column of a source that supplies a member of an object, `owner.name`, or says whether a list has an item. */
export interface Member {
  readonly name: string
  /** The members on the way to it. */
  readonly path: readonly string[]
}

/** The columns of a field: the first, a second for cells where the first is blank, or one for each member of the field. */
interface Supply {
  readonly field: string
  readonly first: string | undefined
  readonly second: string | undefined
  readonly members: readonly Member[]
}

/** How the columns of a source supply the fields. */
export interface Supplies {
  /** In field order. */
  readonly supplies: readonly Supply[]
  /** The first column of each field. */
  readonly columns: ReadonlyMap<string, string>
}

/** The row of a record; `cellOf` gives the value of a column. */
export function rowOf(
  line: number,
  { supplies, columns }: Supplies,
  cellOf: (name: string) => unknown,
): SourceRow {
  let own = columns
  const values = supplies.map(({ field, first, second, members }) => {
    if (first === undefined) return members.length === 0 ? undefined : gather(members, cellOf)
    if (second === undefined || !isBlank(cellOf(first))) return cellOf(first)
    own = new Map(own).set(field, second)
    return cellOf(second)
  })
  return { line, values, columns: own }
}

/**
 * An object from the columns of its members; undefined where all of them are blank, as the object then is. `cellOf` gives
 * the value of a column.
 */
function gather(members: readonly Member[], cellOf: (name: string) => unknown): object | undefined {
  const values = new Map<string, unknown>()
  const inner = new Map<string, Member[]>()
  for (const { name, path } of members) {
    const [first = name, ...rest] = path
    if (rest.length === 0) values.set(first, cellOf(name))
    else inner.set(first, [...(inner.get(first) ?? []), { name, path: rest }])
  }
  for (const [name, its] of inner) values.set(name, gather(its, cellOf))
  return [...values.values()].every(isBlank) ? undefined : Object.fromEntries(values)
}

/**
 * Returns the path of the member that a column supplies, as an export names it, or of an item of a list, by its folded
 * name; undefined where it supplies none.
 */
export function memberReader(
  columns: readonly FlatColumn[],
  fold: (name: string) => string,
  items: ReadonlyMap<string, readonly string[]>,
) {
  const foldPath = (name: string) => name.split('.').map(fold).join('.')
  const members = new Map(
    columns.filter(({ path }) => path.length > 1).map(({ name, path }) => [foldPath(name), path]),
  )
  return (name: string): readonly string[] | undefined =>
    (members.size > 0 && name.includes('.') ? members.get(foldPath(name)) : undefined) ??
    items.get(fold(name))
}
