import Type from 'typebox'
import { existingDate } from './calendar-date.ts'
import { NotAllowed, type ValueType } from './value-type.ts'

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
