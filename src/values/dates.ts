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
      if (year !== undefined) return existingDate(`${year}-${month}-${day}`)
      if (!TIMESTAMP.test(text)) throw new NotAllowed(`must be ${allowed}`)
      existingDate(text.slice(0, 10))
      const instant = new Date(text)
      if (Number.isNaN(instant.getTime())) throw new NotAllowed('is a time that does not exist')
      const [date] = /^\d{4}-\d{2}-\d{2}/.exec(instant.toISOString()) ?? []
      if (date === undefined) throw new NotAllowed('lies in UTC beyond the years 0000 to 9999')
      return date
    },
  }
}

/** Returns the date, or throws if it does not exist. `Date` would turn 2023-02-30 into 2 March. */
export function existingDate(date: string): string {
  const [year, month, day] = [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8))]
  if (day < 1 || day > daysOf(year, month)) throw new NotAllowed('is a date that does not exist')
  return date
}

/** The number of days in a month of the Gregorian calendar; 0 for an invalid month. */
function daysOf(year: number, month: number): number {
  if (month !== 2) return [31, 0, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** A calendar day without a time zone, or an instant in milliseconds since 1970 UTC. */
export type Moment = { readonly day: string } | { readonly instant: number }

const DAY = /^\d{4}-\d{2}-\d{2}$/
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
      if (DAY.test(written)) return { day: existingDate(written) }
      if (!INSTANT.test(written)) throw new NotAllowed(`must be ${allowed}`)
      existingDate(written.slice(0, 10))
      const instant = Date.parse(written.toUpperCase().replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
      if (Number.isNaN(instant)) throw new NotAllowed('is a time that does not exist')
      return { instant }
    },
  }
}
