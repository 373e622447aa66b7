import Type from 'typebox'
import { NotAllowed, type ValueType } from './values.ts'

const FORMS = /^(\d{4})([-/])(\d{2})\2(\d{2})$/
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/**
 * A calendar date as `YYYY-MM-DD`. Also accepts `YYYY/MM/DD`, and a full ISO 8601 timestamp, as its UTC date.
 */
export function calendarDate(): ValueType<string> {
  const allowed = 'a date as YYYY-MM-DD (YYYY/MM/DD or a full ISO 8601 timestamp is understood too)'
  return {
    allowed,
    schema: Type.String({ format: 'date' }),
    format: value => value,
    parse(text) {
      const [, year, , month, day] = FORMS.exec(text) ?? []
      if (year !== undefined) return existing(`${year}-${month}-${day}`)
      if (!TIMESTAMP.test(text)) throw new NotAllowed(`must be ${allowed}`)
      existing(text.slice(0, 10))
      const instant = new Date(text)
      if (Number.isNaN(instant.getTime())) throw new NotAllowed('is a time that does not exist')
      const [date] = /^\d{4}-\d{2}-\d{2}/.exec(instant.toISOString()) ?? []
      if (date === undefined) throw new NotAllowed('lies in UTC beyond the years 0000 to 9999')
      return date
    },
  }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Whether a text is a date as `YYYY-MM-DD` that exists. `Date` turns 2023-02-30 into 2 March. */
export const isDate = (text: string): boolean =>
  DAY.test(text) && new Date(text).toJSON()?.slice(0, 10) === text

function existing(date: string): string {
  if (!isDate(date)) throw new NotAllowed('is a date that does not exist')
  return date
}

/** A calendar day without a time zone, or an instant in milliseconds since 1970 UTC. */
export type Moment = { readonly day: string } | { readonly instant: number }

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i

/** A date as `YYYY-MM-DD`, or an ISO 8601 timestamp with its offset from UTC. */
export function moment(): ValueType<Moment> {
  const allowed = 'a date as YYYY-MM-DD, or a time such as 2025-03-30T09:00:00Z with its offset from UTC'
  return {
    allowed,
    schema: Type.String({ anyOf: [{ format: 'date' }, { format: 'date-time' }] }),
    format: value => ('day' in value ? value.day : new Date(value.instant).toISOString()),
    parse(text) {
      // A plus that is not percent-encoded arrives as a space.
      const written = text.replace(/ (?=\d{2}:?\d{2}$)/, '+')
      if (DAY.test(written)) return { day: existing(written) }
      if (!INSTANT.test(written)) throw new NotAllowed(`must be ${allowed}`)
      existing(written.slice(0, 10))
      const instant = Date.parse(written.toUpperCase().replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
      if (Number.isNaN(instant)) throw new NotAllowed('is a time that does not exist')
      return { instant }
    },
  }
}
