import type { TObject } from 'typebox'
import { heldGroups, heldResult } from '../batches.ts'
import type { Collection } from '../collection.ts'
import { type Field, fieldsOf } from '../fields.ts'
import { hasGeometry } from '../geometry.ts'
import { byKeys, type FieldOf } from '../order.ts'
import type { Selection, StoredRecord } from '../query.ts'
import { countRecords } from './counts.ts'
import { predicateOf } from './filter.ts'
import { atPlace, DISTANCE } from './place.ts'

/** Executes queries over records in memory, for datasets of some thousand records. `records` are in served order. */
export function listCollection(records: readonly StoredRecord[], schema: TObject): Collection {
  const fields = new Map(fieldsOf(schema).map(field => [field.name, field]))
  const fieldOf: FieldOf = name => {
    const field = fields.get(name)
    if (field === undefined) throw new RangeError(`there is no field "${name}"`)
    return field
  }

  function select({ filters = [], place }: Selection): readonly StoredRecord[] {
    const predicates = filters.map(filter => predicateOf(filter, fieldOf))
    const found =
      predicates.length === 0 ? records : records.filter(record => predicates.every(meets => meets(record)))
    if (place === undefined) return found
    if (!hasGeometry(schema)) throw new RangeError('the records have no coordinates')
    return atPlace(found, place)
  }

  return {
    execute({ sort = [], offset = 0, limit = records.length, fields: names, ...selection }) {
      const selected = select(selection)
      const sorted = sort.length === 0 ? selected : selected.toSorted(byKeys(sort, fieldOf))
      const page = sorted.slice(offset, offset + limit)
      return heldResult(selected.length, names === undefined ? page : page.map(picking(names.map(fieldOf))))
    },
    count: ({ by, ...selection }) => heldGroups(countRecords(select(selection), by, fieldOf)),
  }

  /** Picks fields, in the order of the schema, and keeps the distance. */
  function picking(picked: readonly Field[]) {
    const shown = [...fields.values()].filter(field => picked.includes(field)).map(({ name }) => name)
    return (record: StoredRecord): StoredRecord => {
      const names = DISTANCE in record ? [...shown, DISTANCE] : shown
      return Object.fromEntries(names.map(name => [name, record[name]]))
    }
  }
}
