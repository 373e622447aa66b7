import type { Field } from '../fields.ts'
import { compareGroups, type FieldOf, requireOrder } from '../order.ts'
import { type CountKey, type DatePartKey, datePart, type StoredRecord, type Value } from '../query.ts'
import type { Group } from '../result.ts'

/**
 * Counts records by the values of keys: highest count first, ties by value. A list counts once for each of its entries.
 * Throws RangeError for a key without support for counts.
 */
export function countRecords(
  records: readonly StoredRecord[],
  by: readonly CountKey[],
  fieldOf: FieldOf,
): Group[] {
  const readers = by.map(key =>
    typeof key === 'string' ? valuesOf(fieldOf(key)) : partOf(fieldOf(key.field), key),
  )
  const groups = new Map<string, { readonly values: Value[]; count: number }>()
  for (const record of records)
    for (const values of combined(readers.map(read => read(record)))) {
      const key = JSON.stringify(values)
      const group = groups.get(key)
      if (group === undefined) groups.set(key, { values, count: 1 })
      else group.count += 1
    }
  return [...groups.values()].map(({ values, count }): Group => [...values, count]).sort(compareGroups)
}

type ReadValues = (record: StoredRecord) => readonly Value[]

function valuesOf(field: Field): ReadValues {
  if (field.kind !== 'list') requireOrder(field)
  return record => [record[field.name] as Value | Value[]].flat()
}

function partOf({ name, kind }: Field, { part }: DatePartKey): ReadValues {
  if (kind !== 'date' && kind !== 'timestamp') throw new RangeError(`field "${name}" is no date`)
  return record => {
    const date = record[name]
    return [typeof date === 'string' ? datePart(date, part) : null]
  }
}

/** Every choice of one value from each list. */
const combined = (lists: readonly (readonly Value[])[]): Value[][] =>
  lists.reduce<Value[][]>(
    (chosen, list) => chosen.flatMap(values => list.map(value => [...values, value])),
    [[]],
  )
