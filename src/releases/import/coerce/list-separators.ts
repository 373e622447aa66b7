import { LONGEST_VALUE, MOST_ITEMS } from '../../../sources/limits.ts'
import type { SourceOptions } from '../../../sources/source-options.ts'
import { isBlank, Refusal, type SourceRow } from '../../../sources/source-row.ts'
import { type Coerce, fieldSchemas, hasType } from '../field-schema.ts'
import { attempt, type Importable, type Rejection } from '../importable.ts'
import { coercerOf } from './coerce.ts'

type Separator = NonNullable<SourceOptions['listSeparator']>

/** The one that is least likely to be part of an item comes first. */
const SEPARATORS: readonly Separator[] = ['|', ';', ',']
const USUAL: Separator = ','

/** The cells of a field that are weighed; by then the separator is known. */
const MOST_WEIGHED = 1000

/**
 * Finds the separator of each field that is a list: of those in its cells, the one that leaves the fewest items unknown.
 * So an item may contain a comma where another separator is used.
 */
export function createListSeparators({ record }: Pick<Importable, 'record'>, chosen?: Separator) {
  if (chosen !== undefined) return { weigh() {}, separatorOf: () => chosen }
  const fields = fieldSchemas(record).flatMap(([name, { items, ...schema }], place) =>
    hasType(schema, 'array') && items
      ? [{ name, place, weights: createWeights(coercerOf(items, name)) }]
      : [],
  )
  const found = new Map<string, Separator>()
  return {
    /**
     * Weighs a batch of rows before its lists are split. Throws {@link Refusal} where a field turns out to have another
     * separator than the rows before were split by.
     */
    weigh(rows: readonly SourceRow[]): void {
      for (const { name, place, weights } of fields) {
        for (const { values } of rows) weights.add(values[place])
        const before = found.get(name)
        const now = weights.lightest()
        if (now === undefined || now === before) continue
        if (before !== undefined) throw new Refusal(changed(name, before, now, rows, place))
        found.set(name, now)
      }
    },
    separatorOf: (field: string) => found.get(field) ?? USUAL,
  }
}

function changed(
  field: string,
  before: Separator,
  now: Separator,
  rows: readonly SourceRow[],
  place: number,
): string {
  const row = rows.find(({ values }) => String(values[place]).includes(now))
  return `the items of ${field} are separated by "${before}" at first, but by "${now}" on line ${row?.line}; say which is right with --list-separator`
}

/** Counts the items that each separator would leave unknown. */
function createWeights(item: Coerce) {
  const unknown = new Map<Separator, number>()
  let met: readonly Separator[] = []
  let weighed = 0
  return {
    add(cell: unknown): void {
      if (typeof cell !== 'string' || cell.length > LONGEST_VALUE || weighed >= MOST_WEIGHED) return
      const isMet = (separator: Separator) => met.includes(separator) || cell.includes(separator)
      // JSON needs no separator.
      if (cell.trimStart().startsWith('[') || !SEPARATORS.some(separator => cell.includes(separator))) return
      weighed++
      met = SEPARATORS.filter(isMet)
      for (const separator of SEPARATORS) {
        const items = cell.split(separator, MOST_ITEMS).filter(part => !isBlank(part))
        const strange = items.filter(part => !isSound(part, item)).length
        unknown.set(separator, (unknown.get(separator) ?? 0) + strange)
      }
    },
    lightest(): Separator | undefined {
      const weight = (separator: Separator) => unknown.get(separator) ?? 0
      return met.toSorted((a, b) => weight(a) - weight(b))[0]
    },
  }
}

/** Whether a value is read without a complaint. */
export function isSound(value: unknown, coerce: Coerce): boolean {
  let hasWarned = false
  const found: Rejection[] = []
  attempt(found, () =>
    coerce(value, '', () => {
      hasWarned = true
    }),
  )
  return !hasWarned && found.length === 0
}
