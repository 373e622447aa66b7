import { clockTime, dayOf, isoDate } from './island-time.ts'

const DAY_MS = 86_400_000
const NEAR: Readonly<Record<number, string>> = { [-1]: 'yesterday', 0: 'today', 1: 'tomorrow' }

/** A day as people say it now: `today`, `yesterday`, `Monday 16 November`, with its year if it is another. */
export function dayInWords(time: number | string, now: number = Date.now()): string {
  const [date, today] = [isoDate(time), isoDate(now)]
  // By the calendar: a day on which the clocks change has not 24 hours.
  const near = NEAR[(Date.parse(date) - Date.parse(today)) / DAY_MS]
  if (near !== undefined) return near
  const year = date.slice(0, 4)
  return year === today.slice(0, 4) ? dayOf(time) : `${dayOf(time)} ${year}`
}

/** A time as people say it now: `today at 08:10`, `Monday 16 November at 09:00`. */
export const timeInWords = (time: number | string, now: number = Date.now()): string =>
  `${dayInWords(time, now)} at ${clockTime(time)}`

const STEPS = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
]

/** An age in its largest whole unit: `just now`, `5 minutes ago`, `3 days ago`. */
export function ageInWords(seconds: number): string {
  const step = STEPS.find(each => seconds >= each.seconds)
  if (step === undefined) return 'just now'
  const count = Math.floor(seconds / step.seconds)
  return `${count} ${step.unit}${count === 1 ? '' : 's'} ago`
}
