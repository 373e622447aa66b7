import Type from 'typebox'
import { dateRange, type FieldParameters, type ParameterValues } from '../../query/parameters.ts'
import type { Filter } from '../../query/query.ts'
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
        '`regInJersey`: startDate and endDate refer to the registration on the island. Any other value, or none: to the first registration anywhere.',
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
      const matching = (filter: Filter): Filter =>
        values.match === 'exact' && 'contains' in filter
          ? { field: filter.field, equals: filter.contains }
          : filter
      return [...dates.filters(values), ...derived.filters(values).map(matching)]
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

/** The parameters with these names, in the order of the fields. */
const named = ({ parameters }: FieldParameters, names: readonly string[]) =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => names.includes(name)))
