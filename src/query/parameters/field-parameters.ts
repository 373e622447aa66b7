import { text } from '../../values/values.ts'
import type { Field } from '../fields.ts'
import type { EqualsFilter, SortKey } from '../query.ts'
import { equalsParameter } from './equals-parameter.ts'
import type { FieldParameters, FieldParametersOptions, QueryParameter } from './query-parameter.ts'
import { rangeParameters } from './range-parameters.ts'
import { sortParameter } from './sort-parameter.ts'

/**
 * Derives parameters from fields: `name` for one that is filtered by a text or value, `minName` and `maxName` for a
 * range of numbers, `nameFrom` and `nameTo` for one of dates, and `sort`.
 */
export function fieldParameters(fields: readonly Field[], options: FieldParametersOptions): FieldParameters {
  const derived = fields.flatMap(field => parametersOf(field, options))
  const sortable = fields.filter(field => field.sort)
  return {
    parameters: Object.assign(
      {},
      ...derived.map(({ parameters }) => parameters),
      sortable.length > 0 && { sort: sortParameter(sortable) },
    ),
    filters: values => derived.flatMap(each => each.filters(values)),
    sort: ({ sort = [] }) => sort as readonly SortKey[],
  }
}

function parametersOf(field: Field, options: FieldParametersOptions): FieldParameters[] {
  const { name, filter } = field
  if (filter === undefined) return []
  if (filter === 'range') return [rangeParameters(field, options.noun)]
  const isContains = filter === 'contains'
  const parameter = isContains ? containsParameter(field, options) : equalsParameter(field, options)
  return [
    {
      parameters: { [name]: parameter },
      filters({ [name]: value }) {
        if (value === undefined) return []
        return [
          isContains
            ? { field: name, contains: String(value) }
            : { field: name, equals: value as EqualsFilter['equals'] },
        ]
      },
    },
  ]
}

const containsParameter = ({ label }: Field, { noun }: FieldParametersOptions): QueryParameter => ({
  type: text({ maxLength: 100 }),
  description: `Only ${noun} whose ${label} contains this text; case and accents do not matter, every character is plain.`,
})
