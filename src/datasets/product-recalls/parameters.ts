import type { FieldParameters } from '../../query/parameters.ts'
import { calendarDate } from '../../values/dates.ts'

/** The parameters of the list: the parameters of the fields, and the first date of recalls. */
export function listParameters({ parameters, filters, ...derived }: FieldParameters): FieldParameters {
  return {
    ...derived,
    parameters: {
      ...parameters,
      since: { type: calendarDate(), description: 'Only recalls of this date or later, such as 2024-01-31.' },
    },
    filters: values => [
      ...filters(values),
      ...(values.since === undefined ? [] : [{ field: 'recallDate', from: String(values.since) }]),
    ],
  }
}
