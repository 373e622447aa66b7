import { Temporal } from 'temporal-polyfill'
import { invalidParameters } from '../../http/request/parameters.ts'
import type { Moment } from '../../values/dates.ts'
import { DAY_MS } from '../../values/time-units.ts'
import { INTERVALS, startOfDay } from '../history/buckets.ts'

/** The detail of history: reading by reading, or in intervals. */
export const DETAILS = ['raw', ...INTERVALS] as const
export type Detail = (typeof DETAILS)[number]

/** The longest period of one response, in days, so that none has more than some 10,000 rows. */
export const LONGEST_DAYS: Readonly<Record<'one' | 'all', Readonly<Record<Detail, number>>>> = {
  one: { raw: 31, '15m': 100, '1h': 400, '1d': 1100 },
  all: { raw: 4, '15m': 13, '1h': 50, '1d': 140 },
}
/** The longest periods for all car parks hold for this many; more shorten them, down to a day. */
const MOST_AT_LENGTH = 10

/** The days without `from`, as far as the longest period allows. */
const USUAL_DAYS: Readonly<Record<Detail, number>> = { raw: 1, '15m': 1, '1h': 7, '1d': 31 }

/** Earlier than any reading, with a four-digit year. */
const EARLIEST = Temporal.PlainDate.from('1970-01-01')

/** A half-open period of time, in milliseconds since 1970 UTC. */
export interface Period {
  readonly from: number
  readonly to: number
}

/**
 * The period of a query. A date is the whole of that day by the island's clocks, at either end; without `to` it ends
 * now. Throws the problem INVALID_PARAMETER where it ends before it begins, or is longer than allowed.
 */
export function periodOf(
  query: { from: Moment | undefined; to: Moment | undefined; interval: Detail },
  context: Scope & { now: number; timeZone: string },
): Period {
  const { now, timeZone } = context
  const longest = longestDays(query.interval, context)
  const usual = Math.min(USUAL_DAYS[query.interval], longest)
  const to = query.to === undefined ? now : boundOf(query.to, timeZone, 1)
  const from = query.from === undefined ? to - usual * DAY_MS : boundOf(query.from, timeZone, 0)
  if (from < startOfDay(EARLIEST, timeZone))
    throw wrong(query.from === undefined ? 'to' : 'from', 'is too early', `a time from ${EARLIEST} on`)
  if (from >= to) throw wrong('from', 'must be before to', 'a time before to, which is now by default')
  // Tolerates the longer days of clock changes.
  if (to - from <= longest * DAY_MS + DAY_MS / 12) return { from, to }
  const days = Math.ceil((to - from) / DAY_MS)
  throw wrong(
    'from',
    `and to are ${days} days apart, too many for interval=${query.interval}`,
    `at most ${longest} days with interval=${query.interval}; ${wider(query.interval, days, context)}ask for a part at a time`,
  )
}

type Scope = { readonly of: 'one' | 'all'; readonly carparks: number }

function longestDays(interval: Detail, { of, carparks }: Scope): number {
  const longest = LONGEST_DAYS[of][interval]
  return carparks <= MOST_AT_LENGTH ? longest : Math.max(1, Math.floor((longest * MOST_AT_LENGTH) / carparks))
}

function wider(interval: Detail, days: number, scope: Scope): string {
  const wider = DETAILS.slice(DETAILS.indexOf(interval) + 1)
  const fitting = wider.find(other => days <= longestDays(other, scope))
  return fitting === undefined ? '' : `interval=${fitting} takes so many, or `
}

const wrong = (parameter: string, detail: string, allowed: string) =>
  invalidParameters([{ parameter, detail, allowed }])

/** The instant at which a moment begins, or ends where it is a day of one. */
const boundOf = (moment: Moment, timeZone: string, days: 0 | 1): number =>
  'day' in moment ? startOfDay(Temporal.PlainDate.from(moment.day).add({ days }), timeZone) : moment.instant
