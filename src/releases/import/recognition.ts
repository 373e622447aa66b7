import { type Columns, createColumns } from '../../sources/columns.ts'
import { Refusal } from '../../sources/source-row.ts'
import { requiredFields } from './field-schema.ts'
import type { Importable } from './importable.ts'

/** Names that are kept: a source whose keys are data must not fill the memory. */
const MOST_NAMES = 1000

/** Columns that add the source's own names to a set. */
export const notingNames = (columns: Columns, names: Set<string>): Columns => ({
  ...columns,
  assign(given) {
    for (const name of given) if (names.size < MOST_NAMES) names.add(name)
    return columns.assign(given)
  },
})

/**
 * Says which other dataset a source is of, from the names of its columns; undefined unless that is clear. The named
 * dataset must lack a field that every record needs, and another have all of those and take more of the columns.
 */
export function recognise(
  named: Importable,
  others: readonly Importable[],
  names: ReadonlySet<string>,
  read: number,
): string | undefined {
  const own = fit(named, names)
  if (own === undefined || own.missing.length === 0) return undefined
  const best = bestOf(others, names, own)
  if (best === undefined) return undefined
  const lacking = read > 0 ? `all ${read} records lack` : 'it lacks'
  return `this looks like ${best.name}: ${lacking} ${own.missing.join(', ')}; import it as ${best.name}, or name the right columns with --map`
}

/**
 * Says which other dataset a source resembles more than the named one, whether or not that could take it; undefined where
 * none has all the fields that it needs and takes more of the columns.
 */
export function findResemblance(
  named: Importable,
  others: readonly Importable[],
  names: ReadonlySet<string>,
): string | undefined {
  const own = fit(named, names)
  if (own === undefined) return undefined
  const best = bestOf(others, names, own)
  if (best === undefined) return undefined
  return `this looks like ${best.name}: ${best.taken} of its columns are of that dataset, ${own.taken} of ${named.name}`
}

/** The dataset that takes the most columns, more than another fit, and has all the fields that it needs. */
function bestOf(others: readonly Importable[], names: ReadonlySet<string>, own: Fit) {
  const better = others.flatMap(other => {
    const its = fit(other, names)
    const isBetter = its !== undefined && its.missing.length === 0 && its.taken > own.taken
    return isBetter ? [{ name: other.name, taken: its.taken }] : []
  })
  return better.sort((a, b) => b.taken - a.taken)[0]
}

interface Fit {
  /** The fields that every record needs and no column supplies. */
  readonly missing: readonly string[]
  /** The number of columns that a field takes. */
  readonly taken: number
}

function fit(dataset: Importable, names: ReadonlySet<string>): Fit | undefined {
  try {
    const assigned = createColumns(dataset).assign([...names])
    const missing = requiredFields(dataset).filter(field => !assigned.has(field))
    return { missing, taken: [...assigned.values()].flat().length }
  } catch (error) {
    // Two columns claim one field.
    if (error instanceof Refusal) return undefined
    throw error
  }
}
