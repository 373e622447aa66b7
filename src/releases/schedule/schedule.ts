import { Cron } from 'croner'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../values/time-units.ts'
import { NotAllowed } from '../../values/values.ts'

/** When a source is due. */
export interface Schedule {
  /** The first regular time after this time, in milliseconds since 1970 UTC. */
  next(after: number): number
}

export const ALLOWED_SCHEDULES =
  'an interval from 1m in minutes, hours or days, such as 30m, 6h or 1d, or a cron expression of five fields in UTC, such as "15 3 * * *"'

const UNITS_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }
const LONGEST_MS = 366 * DAY_MS

/** Parses an interval or a cron expression. Throws {@link NotAllowed}. */
export function parseSchedule(text: string): Schedule {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text.trim()) ?? []
  return count === undefined ? cron(text) : interval(Number(count) * (UNITS_MS[unit] ?? 1000))
}

function interval(milliseconds: number): Schedule {
  if (milliseconds < MINUTE_MS) throw new NotAllowed('is shorter than a minute')
  if (milliseconds > LONGEST_MS) throw new NotAllowed('is longer than a year')
  return { next: after => after + milliseconds }
}

/** Times are in UTC: the same on every machine, and never skipped or repeated when clocks change. */
function cron(text: string): Schedule {
  const expression = parseCron(text)
  const next = (after: number) => expression.nextRun(new Date(after))?.getTime()
  if (next(Date.now()) === undefined) throw new NotAllowed('names a time that never comes')
  return { next: after => next(after) ?? after + LONGEST_MS }
}

function parseCron(text: string): Cron {
  try {
    return new Cron(text, { timezone: 'UTC', mode: '5-part', paused: true })
  } catch {
    throw new NotAllowed('is neither an interval nor a cron expression')
  }
}
