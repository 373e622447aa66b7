import type { DatePart } from './query.ts'

/** The year of a timestamp, as a number, or its month, as `YYYY-MM`; both in UTC. */
export const datePart = (timestamp: string, part: DatePart): number | string =>
  part === 'year' ? Number(timestamp.slice(0, 4)) : timestamp.slice(0, 7)
