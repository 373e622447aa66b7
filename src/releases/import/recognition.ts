import { ISLAND } from '../../island/island.ts'
import { isInBox } from '../../query/geometry.ts'
import { createColumns } from '../../sources/columns.ts'
import { Refusal } from '../../sources/source-row.ts'
import type { UnmatchedColumn } from './checks/release-checks.ts'
import { coercerOf, isSound } from './coerce/coerce.ts'
import { readPosition } from './coerce/values.ts'
import { fieldSchemas, type Importable, requiredFields } from './importable.ts'

/**
 * Says, from the column names, that a source belongs to another dataset; undefined unless that is clear. The source
 * must lack a required field of the named dataset. It must have all required fields of the other dataset, which must
 * take more columns.
 */
export function recognise(
  named: Importable,
  others: readonly Importable[],
  names: readonly string[],
  read: number,
): string | undefined {
  const { name, own } = betterFit(named, others, names) ?? {}
  if (own === undefined || own.missing.length === 0) return undefined
  const lacking = read > 0 ? `all ${read} records lack` : 'it lacks'
  return `this looks like ${name}: ${lacking} ${own.missing.join(', ')}; import it as ${name}, or name the right columns with --map`
}

/**
 * Says which other dataset a source resembles more, even if the named dataset could take the source. Undefined unless
 * another dataset has all its required fields and takes more columns.
 */
export function findResemblance(
  named: Importable,
  others: readonly Importable[],
  names: readonly string[],
): string | undefined {
  const { name, taken, own } = betterFit(named, others, names) ?? {}
  return (
    own &&
    `this looks like ${name}: ${taken} of its columns are of that dataset, ${own.taken} of ${named.name}`
  )
}

/** The dataset that takes the most columns, more than the named one, and has all its required fields. */
function betterFit(named: Importable, others: readonly Importable[], names: readonly string[]) {
  const own = fit(named, names)
  if (own === undefined) return undefined
  const [best] = others
    .flatMap(other => fit(other, names) ?? [])
    .filter(({ missing, taken }) => missing.length === 0 && taken > own.taken)
    .sort((a, b) => b.taken - a.taken)
  return best && { ...best, own }
}

const CORNER = { latitude: ISLAND.bounds.south, longitude: ISLAND.bounds.west }

/** For each unmatched column with values, the essential fields that its first value fits. */
export function whatFits(
  { record, essential = [] }: Importable,
  ignored: ReadonlyMap<string, unknown>,
): UnmatchedColumn[] {
  const fields = fieldSchemas(record).filter(([field]) => essential.includes(field))
  // Always true for fields other than latitude and longitude.
  const isNear = (field: string, value: unknown) =>
    isInBox({ ...CORNER, [field]: Number(value) }, ISLAND.bounds)
  const filled = [...ignored].filter(([, value]) => value !== undefined)
  return filled.map(([name, value]) => {
    const fits = fields
      .filter(([field, schema]) => isNear(field, value) && isSound(value, coercerOf(schema, field)))
      .map(([field]) => field)
    const position = readPosition(value)
    return { name, fits: position !== undefined && isInBox(position, ISLAND.bounds) ? ['position'] : fits }
  })
}

/** How a dataset fits a source: its required fields without a column, and the number of columns that it takes. */
function fit(dataset: Importable, names: readonly string[]) {
  try {
    const assigned = createColumns(dataset).matchNames(names).assignment
    const missing = requiredFields(dataset).filter(field => !assigned.has(field))
    return { name: dataset.name, missing, taken: [...assigned.values()].flat().length }
  } catch (error) {
    // Two columns claim one field.
    if (error instanceof Refusal) return undefined
    throw error
  }
}
