import Type from 'typebox'
import { NotAllowed, type ValueType } from '../../values/value-type.ts'
import { listOf, oneOf } from '../../values/values.ts'
import type { Field } from '../fields.ts'
import type { SortKey } from '../query.ts'
import type { QueryParameter } from './query-parameter.ts'

/** The parameter `sort`: names of fields, the most important first. */
export function sortParameter(fields: readonly Field[]): QueryParameter<SortKey[]> {
  const key = oneOf(fields.flatMap(({ name }) => [name, `-${name}`]))
  return {
    type: distinct(
      {
        allowed: key.allowed,
        schema: key.schema,
        parse(text) {
          const name = key.parse(text)
          return name.startsWith('-')
            ? { field: name.slice(1), direction: 'descending' }
            : { field: name, direction: 'ascending' }
        },
        format: ({ field, direction }) => (direction === 'descending' ? `-${field}` : field),
      },
      ({ field }) => field,
    ),
    description:
      'The fields to sort by, joined by commas; "-" before one sorts it in descending order. Null comes last.',
  }
}

/** The parameter `by`: names of fields to count by. */
export const countByParameter = (fields: readonly Field[]): QueryParameter<string[]> => ({
  type: distinct(oneOf(fields.map(({ name }) => name)), name => name),
  description: 'The fields to count by, joined by commas.',
})

/** A list of at least one value, without duplicates. */
function distinct<T>(item: ValueType<T>, nameOf: (value: T) => string): ValueType<T[]> {
  const list = listOf(item)
  return {
    ...list,
    schema: Type.Array(item.schema, { minItems: 1 }),
    parse(text) {
      const values = list.parse(text)
      const names = values.map(nameOf)
      const repeated = names.find((name, index) => names.indexOf(name) !== index)
      if (repeated !== undefined) throw new NotAllowed(`names ${repeated} more than once`)
      if (values.length === 0) throw new NotAllowed(`must be ${list.allowed}`)
      return values
    },
  }
}
