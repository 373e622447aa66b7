import Type from 'typebox'
import { invalidParameters } from '../../http/request/parameters.ts'
import type { Filter } from '../../query/query.ts'
import { calendarDate } from '../../values/calendar-date.ts'
import type { ValueType } from '../../values/value-type.ts'
import { oneOf, text } from '../../values/values.ts'

/** Only one value means anything, and no other is an error (spec 4.2). */
const dateType: ValueType<'regInJersey' | 'firstEver'> = {
  allowed: 'regInJersey, or anything else',
  schema: Type.String(),
  parse: text => (text === 'regInJersey' ? text : 'firstEver'),
  format: value => value,
}

const dates = {
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
    description:
      '`regInJersey`: startDate and endDate mean the registration on the island. Anything else, or nothing: the first registration anywhere.',
  },
} as const

const search = (what: string) => ({
  type: text({ maxLength: 100 }),
  description: `Only vehicles whose ${what} contains this text; case and accents do not matter, every character is plain.`,
})

/** The parameters that narrow counts (spec 4.3, 4.4). */
export const dateParameters = dates

/** The parameters that narrow the list (spec 4.2). */
export const filterParameters = {
  ...dates,
  make: search('make'),
  model: search('model'),
  fuelType: {
    type: text({ maxLength: 100 }),
    description: 'Only vehicles with this fuel; case does not matter.',
  },
  color: search('colour'),
  match: {
    type: oneOf(['contains', 'exact']),
    default: 'contains',
    description: '`exact`: make, model and color mean the whole value instead of a part of it.',
  },
} as const

interface DateQuery {
  readonly startDate: string | undefined
  readonly endDate: string | undefined
  readonly dateType: string | undefined
}

interface VehicleQuery extends DateQuery {
  readonly make: string | undefined
  readonly model: string | undefined
  readonly fuelType: string | undefined
  readonly color: string | undefined
  readonly match: 'contains' | 'exact'
}

/** The filter that the dates ask for. Throws INVALID_PARAMETER where the start is after the end. */
export function dateFilters({ startDate, endDate, dateType }: DateQuery): Filter[] {
  if (startDate === undefined && endDate === undefined) return []
  if (startDate !== undefined && endDate !== undefined && startDate > endDate) {
    const detail = `is after endDate ${endDate}`
    throw invalidParameters([
      { parameter: 'startDate', value: startDate, detail, allowed: 'a date not after endDate' },
    ])
  }
  return [
    {
      field: dateType === 'regInJersey' ? 'firstRegisteredInJerseyAt' : 'firstRegisteredAt',
      ...(startDate === undefined ? {} : { from: startDate }),
      ...(endDate === undefined ? {} : { to: endDate }),
    },
  ]
}

/** The filters of a vehicle query, its fuel type already in the register's spelling. */
export function vehicleFilters(query: VehicleQuery): Filter[] {
  const filters = dateFilters(query)
  for (const column of SEARCHED) {
    const value = query[column]
    if (value === undefined) continue
    filters.push(
      query.match === 'exact' ? { field: column, equals: value } : { field: column, contains: value },
    )
  }
  if (query.fuelType !== undefined) filters.push({ field: 'fuelType', equals: query.fuelType })
  return filters
}

const SEARCHED = ['make', 'model', 'color'] as const
