import Type from 'typebox'
import { dateRange, type FieldParameters, type ParameterValues } from '../../query/parameters.ts'
import { calendarDate } from '../../values/dates.ts'
import { oneOf, type Parameter, type ValueType } from '../../values/values.ts'

/** Only one value has an effect. Any other value is ignored without an error (spec 4.2). */
const dateType: ValueType<'regInJersey' | 'firstEver'> = {
  allowed: 'regInJersey, or anything else',
  schema: Type.String(),
  parse: text => (text === 'regInJersey' ? text : 'firstEver'),
  format: value => value,
}

/** A range of dates of the registration that `dateType` selects (spec 4.3, 4.4). */
export const dates: FieldParameters = {
  parameters: {
    startDate: {
      type: calendarDate(),
      description: 'Only vehicles registered on this date or later, such as 2024-01-31.',
    },
    endDate: {
      type: calendarDate(),
      description: 'Only vehicles registered on this date or earlier, such as 2024-12-31.',
    },
    dateType: {
      type: dateType,
      default: 'firstEver',
      description:
        '`regInJersey`: startDate and endDate refer to the registration in Jersey. Any other value, or none: to the first registration anywhere.',
    },
  },
  filters: values => dateRange(selectedDate(values), values, 'startDate', 'endDate'),
}

/** The date that `dateType` selects. */
export const selectedDate = ({ dateType }: ParameterValues): string =>
  dateType === 'regInJersey' ? 'firstRegisteredInJerseyAt' : 'firstRegisteredAt'

const match: Parameter = {
  type: oneOf(['contains', 'exact']),
  default: 'contains',
  description: '`exact`: make, model and color must equal the whole value instead of a part of it.',
}

/** The parameters of the list (spec 4.2): dates, fields, and `match`, which turns "contains" into "equals". */
export function listParameters(derived: FieldParameters): FieldParameters {
  return {
    // In the contract's order, which is visible in paging links.
    parameters: {
      ...dates.parameters,
      ...named(derived, ['make', 'model', 'fuelType']),
      ...derived.parameters,
      match,
    },
    filters(values) {
      const filters = derived.filters(values)
      if (values.match === 'exact')
        return [
          ...dates.filters(values),
          ...filters.map(each => ('contains' in each ? { field: each.field, equals: each.contains } : each)),
        ]
      return [...dates.filters(values), ...filters]
    },
    sort: values => derived.sort?.(values) ?? [],
  }
}

/** The parameters of the models: dates and make. */
export function modelParameters(derived: FieldParameters): FieldParameters {
  return {
    parameters: { ...dates.parameters, ...named(derived, ['make']) },
    filters: values => [...dates.filters(values), ...derived.filters({ make: values.make })],
  }
}

/** The parameters with these names, in the order of the names. */
const named = (
  { parameters }: FieldParameters,
  names: readonly string[],
): Readonly<Record<string, Parameter>> =>
  Object.fromEntries(
    names.flatMap(name => {
      const parameter = parameters[name]
      return parameter === undefined ? [] : [[name, parameter]]
    }),
  )
