import type { FieldParameters } from '../../query/parameters/parameter-values.ts'
import { calendarDate } from '../../values/dates.ts'

/** The parameters of the list: those of the fields, and the date from which recalls are listed. */
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
