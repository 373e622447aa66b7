import type { Field } from '../fields.ts'
import type { StoredRecord, Value } from '../query.ts'
import type { Group } from '../result.ts'
import { compareValues, requireOrder } from './order.ts'

/**
 * Counts records by the values of fields: highest count first, ties by value. A list counts once for each of its
 * entries.
 */
export function countRecords(records: readonly StoredRecord[], by: readonly Field[]): Group[] {
  for (const field of by) if (field.kind !== 'list') requireOrder(field)
  const groups = new Map<string, { readonly values: Value[]; count: number }>()
  for (const record of records)
    for (const values of combined(by.map(({ name }) => [record[name] as Value | Value[]].flat()))) {
      const key = JSON.stringify(values)
      const group = groups.get(key)
      if (group === undefined) groups.set(key, { values, count: 1 })
      else group.count += 1
    }
  return [...groups.values()]
    .sort((one, other) => other.count - one.count || compareAll(one.values, other.values))
    .map(({ values, count }) => [...values, count])
}

/** Every choice of one value from each list. */
const combined = (lists: readonly Value[][]): Value[][] =>
  lists.reduce<Value[][]>(
    (chosen, list) => chosen.flatMap(values => list.map(value => [...values, value])),
    [[]],
  )

function compareAll(one: readonly Value[], other: readonly Value[]): number {
  const differing = one.findIndex((value, index) => value !== other[index])
  return compareValues(one[differing], other[differing])
}
