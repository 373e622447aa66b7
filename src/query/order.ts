import type { Field } from './fields.ts'
import { countOf, type Group, type SortKey, type StoredRecord } from './query.ts'

/** Returns the field with this name. Throws RangeError if no field has this name. */
export type FieldOf = (name: string) => Field

const ORDERED: readonly Field['kind'][] = ['text', 'digest', 'number', 'flag', 'date', 'timestamp']

/** Throws RangeError if values of the field have no order. */
export function requireOrder({ name, kind }: Field): void {
  if (!ORDERED.includes(kind)) throw new RangeError(`records cannot be sorted or counted by field "${name}"`)
}

/** Returns a comparison of records by the first sort key that differs. */
export function byKeys(keys: readonly SortKey[], fieldOf: FieldOf) {
  for (const { field } of keys) requireOrder(fieldOf(field))
  return (one: StoredRecord, other: StoredRecord): number => {
    for (const { field, direction } of keys) {
      const order = compareValues(one[field], other[field], direction === 'descending' ? -1 : 1)
      if (order !== 0) return order
    }
    return 0
  }
}

/** Null comes last in either direction; texts compare by UTF-16 code units, as `<` does. */
function compareValues(one: unknown, other: unknown, sign: 1 | -1 = 1): number {
  if (one === other) return 0
  if (one === null) return 1
  if (other === null) return -1
  return (one as number) < (other as number) ? -sign : sign
}

/** Groups come in descending order of count, ties in the order of their values. */
export function compareGroups(one: Group, other: Group): number {
  const byCount = countOf(other) - countOf(one)
  if (byCount !== 0) return byCount
  const differing = one.findIndex((value, index) => value !== other[index])
  return compareValues(one[differing], other[differing])
}
