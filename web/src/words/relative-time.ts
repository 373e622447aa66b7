import { words } from '../texts/en/words.ts'
import { text } from '../texts/text.ts'
import { clockTime, dayOf, isoDate } from './island-time.ts'

const DAY_MS = 86_400_000
const NEAR: Readonly<Record<number, string>> = {
  [-1]: words.yesterday,
  0: words.today,
  1: words.tomorrow,
}

/** A day as people say it now: `today`, `yesterday`, `Monday 16 November`. A day of another year has its year. */
export function dayInWords(time: number | string, now: number = Date.now()): string {
  const [date, today] = [isoDate(time), isoDate(now)]
  // By the calendar: a day on which the clocks change has 23 or 25 hours.
  const near = NEAR[(Date.parse(date) - Date.parse(today)) / DAY_MS]
  if (near !== undefined) return near
  const year = date.slice(0, 4)
  return year === today.slice(0, 4) ? dayOf(time) : text(words.dayOfYear, { day: dayOf(time), year })
}

/** A time as people say it now: `today at 08:10`, `Monday 16 November at 09:00`. */
export const timeInWords = (time: number | string, now: number = Date.now()): string =>
  text(words.dayAndTime, { day: dayInWords(time, now), time: clockTime(time) })

const STEPS = [
  { age: words.ages.day, seconds: 86_400 },
  { age: words.ages.hour, seconds: 3600 },
  { age: words.ages.minute, seconds: 60 },
]

/** An age in its largest whole unit: `just now`, `5 minutes ago`, `3 days ago`. */
export function ageInWords(seconds: number): string {
  const step = STEPS.find(each => seconds >= each.seconds)
  return step === undefined ? words.justNow : text(step.age, { count: Math.floor(seconds / step.seconds) })
}
