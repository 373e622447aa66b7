import type { TObject } from 'typebox'
import type { StoredRecord } from '../../../query/query.ts'
import { fieldSchemas } from '../field-schema.ts'

/** The number of records that have a value in each field. Members of a field follow dots (`owner.id`). */
export type FieldCounts = ReadonlyMap<string, number>

/** A field, or a member of one. */
interface Part {
  readonly name: string
  readonly field: string
  readonly member: string | undefined
  /** What a blank becomes in a source: it is no value. */
  readonly blank: unknown
}

/** Counts the values of records, one by one: null, empty texts and lists, false and a field's default are none. */
export function createFieldCounter(schema: TObject) {
  const parts = partsOf(schema)
  const counts = parts.map(() => 0)
  return {
    add(record: StoredRecord): void {
      for (let at = 0; at < parts.length; at++) {
        const { field, member, blank } = parts[at] as Part
        const whole = record[field]
        const value = member === undefined ? whole : (whole as StoredRecord | null)?.[member]
        if (hasValue(value) && value !== blank) counts[at] = (counts[at] ?? 0) + 1
      }
    },
    counts: (): FieldCounts => new Map(parts.map(({ name }, at) => [name, counts[at] ?? 0])),
  }
}

function partsOf(schema: TObject): Part[] {
  return fieldSchemas(schema).flatMap(([field, { default: blank, properties }]): Part[] => {
    if (properties === undefined) return [{ name: field, field, member: undefined, blank }]
    return Object.entries(properties).map(([member, of]) => ({
      ...{ name: `${field}.${member}`, field, member, blank: of.default },
    }))
  })
}

const hasValue = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0)
