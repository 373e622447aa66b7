import type { Field } from '../fields.ts'
import { compareGroups, requireOrder } from '../order.ts'
import type { StoredRecord, Value } from '../query.ts'
import type { Group } from '../result.ts'

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
  return [...groups.values()].map(({ values, count }): Group => [...values, count]).sort(compareGroups)
}

/** Every choice of one value from each list. */
const combined = (lists: readonly Value[][]): Value[][] =>
  lists.reduce<Value[][]>(
    (chosen, list) => chosen.flatMap(values => list.map(value => [...values, value])),
    [[]],
  )
