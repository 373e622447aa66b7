import { calendarDate } from '../../values/calendar-date.ts'
import { number } from '../../values/values.ts'
import type { Field } from '../fields.ts'
import type { Filter } from '../query.ts'
import { type FieldParameters, invalidParameter, type ParameterValues } from './query-parameter.ts'

/** The parameters for the two ends of a range, either of which may be left out. */
export function rangeParameters(field: Field, noun: string): FieldParameters {
  const { name, label, kind } = field
  const whose = `Only ${noun} whose ${label} is`
  if (kind !== 'number') {
    const [from, to] = [`${name}From`, `${name}To`]
    const parameters = {
      [from]: { type: calendarDate(), description: `${whose} this date or later, such as 2024-01-31.` },
      [to]: { type: calendarDate(), description: `${whose} this date or earlier, such as 2024-12-31.` },
    }
    return { parameters, filters: values => dateRange(name, values, from, to) }
  }
  const capitalised = name.charAt(0).toUpperCase() + name.slice(1)
  const [least, most] = [`min${capitalised}`, `max${capitalised}`]
  const parameters = {
    [least]: { type: number(field), description: `${whose} at least this.` },
    [most]: { type: number(field), description: `${whose} at most this.` },
  }
  return {
    parameters,
    filters: values => range(name, values, [least, most], ['above', 'a number not above']),
  }
}

/** The filter on a date by the values of two parameters. Throws INVALID_PARAMETER where the first is after the second. */
export const dateRange = (field: string, values: ParameterValues, from: string, to: string): Filter[] =>
  range(field, values, [from, to], ['after', 'a date not after'])

function range(
  field: string,
  values: ParameterValues,
  [first, last]: readonly [string, string],
  [beyond, allowed]: readonly [string, string],
): Filter[] {
  const [from, to] = [values[first], values[last]] as [string | undefined, string | undefined]
  if (from === undefined && to === undefined) return []
  if (from !== undefined && to !== undefined && from > to)
    throw invalidParameter({
      parameter: first,
      value: String(from),
      detail: `is ${beyond} ${last} ${to}`,
      allowed: `${allowed} ${last}`,
    })
  return [{ field, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }]
}
