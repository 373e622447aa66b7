import { weekdayOf } from '../values/day-number.ts'
import { memoise } from '../values/memoise.ts'
import { DAY_MS } from '../values/time-units.ts'
import { type Holiday, ISLAND } from './island.ts'

const SATURDAY = 6

/** The name of the public holiday on a day (days since 1970 by the island's clock), from 2010 on, or undefined. */
export const bankHoliday = (day: number): string | undefined =>
  holidaysIn(new Date(day * DAY_MS).getUTCFullYear()).get(day)

/** The holidays of a year by day; computed once. */
const holidaysIn = memoise((year: number): ReadonlyMap<number, string> => {
  const { everyYear, singleDays = {} } = ISLAND.publicHolidays
  const kept = everyYear
    .filter(({ exceptIn = [] }) => !exceptIn.includes(year))
    .map(holiday => ({ holiday, day: dayIn(year, holiday) }))
    .filter(({ holiday, day }) => !(holiday.notOnSundays === true && weekdayOf(day) === 0))
  const holidays = new Map(kept.map(({ holiday, day }) => [day, holiday.name]))
  for (const { holiday, day } of kept)
    if (holiday.movesFromWeekends === true && isWeekend(day))
      holidays.set(nextFreeWorkingDay(day, holidays), `${holiday.name} (substitute day)`)
  for (const [date, name] of Object.entries(singleDays))
    if (Number(date.slice(0, 4)) === year) holidays.set(Date.parse(date) / DAY_MS, name)
  return holidays
})

/** The day of a holiday in a year, before it moves. */
function dayIn(year: number, { on, firstMondayFrom, daysAfterEaster = 0 }: Holiday): number {
  if (on !== undefined) return dayOf(year, on)
  return firstMondayFrom === undefined
    ? easterSunday(year) + daysAfterEaster
    : mondayFrom(dayOf(year, firstMondayFrom))
}

function nextFreeWorkingDay(day: number, holidays: ReadonlyMap<number, string>): number {
  let next = day + 1
  while (isWeekend(next) || holidays.has(next)) next++
  return next
}

const dayOf = (year: number, monthAndDay: string) => Date.parse(`${year}-${monthAndDay}`) / DAY_MS

const isWeekend = (day: number) => weekdayOf(day) === 0 || weekdayOf(day) === SATURDAY

/** The first Monday on or after a day. */
const mondayFrom = (day: number) => day + ((8 - weekdayOf(day)) % 7)

/** Easter from 1900 to 2099, by the rule of Gauss. */
function easterSunday(year: number): number {
  const a = year % 19
  const d = (19 * a + 24) % 30
  const e = (2 * (year % 4) + 4 * (year % 7) + 6 * d + 5) % 7
  const isTooLate = e === 6 && (d === 29 || (d === 28 && a > 10))
  return dayOf(year, '03-22') + d + e - (isTooLate ? 7 : 0)
}
