import { isObject } from '../values/values.ts'
import { type Field, type FieldKeywords, fieldsOf } from './fields.ts'
import type { StoredRecord } from './query.ts'

/** A column of records as a flat table: a field, or a member of an object, named by its path (`owner.name`). */
export interface FlatColumn extends Pick<Field, 'name' | 'kind' | 'isInteger'> {
  /** The names of the field and of the members inside it. */
  readonly path: readonly string[]
  readonly schema: FieldKeywords
  /** Whether a record may lack this value, or the object that holds it. */
  readonly isNullable: boolean
  read(record: StoredRecord): unknown
}

/** The columns of a schema's records, in the schema's order. An object becomes one column for each of its members. */
export function flatColumnsOf({ properties = {}, required = [] }: FieldKeywords): FlatColumn[] {
  return fieldsOf({ properties }).flatMap(({ name, kind, isInteger }): FlatColumn[] => {
    const schema: FieldKeywords = properties[name] ?? {}
    const isNullable = !required.includes(name) || [schema.type].flat().includes('null')
    if (schema.properties === undefined)
      return [{ name, path: [name], kind, isInteger, schema, isNullable, read: record => record[name] }]
    return flatColumnsOf(schema).map(member => ({
      ...member,
      name: `${name}.${member.name}`,
      path: [name, ...member.path],
      isNullable: isNullable || member.isNullable,
      read: record => {
        const object = record[name]
        return isObject(object) ? member.read(object) : null
      },
    }))
  })
}
