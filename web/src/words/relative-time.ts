import { language } from '../texts/en/language.ts'
import { words } from '../texts/en/words.ts'
import { text } from '../texts/text.ts'
import { clockTime, dayOf, isoDate } from './island-time.ts'

const DAY_MS = 86_400_000
const DAYS = new Intl.RelativeTimeFormat(language.locale, { numeric: 'auto' })
const AGES = new Intl.RelativeTimeFormat(language.locale)

/** A day as people say it now: `today`, `yesterday`, `Monday 16 November`. A day of another year has its year. */
export function dayInWords(time: number | string, now: number = Date.now()): string {
  const [date, today] = [isoDate(time), isoDate(now)]
  // By the calendar: a day on which the clocks change has 23 or 25 hours.
  const days = (Date.parse(date) - Date.parse(today)) / DAY_MS
  if (Math.abs(days) <= 1) return DAYS.format(days, 'day')
  const year = date.slice(0, 4)
  return year === today.slice(0, 4) ? dayOf(time) : text(words.dayOfYear, { day: dayOf(time), year })
}

/** A time as people say it now: `today at 08:10`, `Monday 16 November at 09:00`. */
export const timeInWords = (time: number | string, now: number = Date.now()): string =>
  text(words.dayAndTime, { day: dayInWords(time, now), time: clockTime(time) })

const STEPS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** An age in its largest whole unit: `just now`, `5 minutes ago`, `3 days ago`. */
export function ageInWords(seconds: number): string {
  const [unit, length = 1] = STEPS.find(([, length]) => seconds >= length) ?? []
  return unit === undefined ? words.justNow : AGES.format(-Math.floor(seconds / length), unit)
}
