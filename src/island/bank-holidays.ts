/*
 * The rules follow the Public Holidays and Bank Holidays (Jersey) Act 2010. Single days follow their own Acts. The source is
 * the `holidays` package of Python, which cites the Acts. We compared the package with the government's list from 2010 on,
 * but did not read the Acts. Doubtful or unknown:
 *   - single days appointed after 2025;
 *   - the anniversary of the Corn Riots (28 September): the States appointed only 27 September 2021. In 2025 car parks
 *     filled as usual on the Friday before and the Monday after, so the anniversary is no holiday here.
 */

import { weekdayOf } from '../values/day-number.ts'
import { memoise } from '../values/memoise.ts'
import { DAY_MS } from '../values/time-units.ts'

const SATURDAY = 6

/** The name of the public holiday on a day (days since 1970 by the island's clock), from 2010 on, or undefined. */
export const bankHoliday = (day: number): string | undefined =>
  holidaysIn(new Date(day * DAY_MS).getUTCFullYear()).get(day)

/** Holidays of a single year. */
const SINGLE_DAYS: readonly (readonly [date: string, name: string])[] = [
  ['2010-05-09', 'Liberation Day'], // A Sunday, yet appointed for its 65th anniversary.
  ['2011-04-29', 'Royal Wedding'],
  ['2012-06-04', 'Spring Bank Holiday'],
  ['2012-06-05', "Queen's Diamond Jubilee"],
  ['2020-05-08', '75th Anniversary of VE Day'],
  ['2021-09-27', 'Corn Riots Anniversary'],
  ['2022-06-02', 'Spring Bank Holiday'],
  ['2022-06-03', "Queen's Platinum Jubilee"],
  ['2022-09-19', "Queen's Funeral"],
  ['2023-05-08', "King's Coronation"],
  ['2024-07-15', 'Visit of the King and Queen'],
]

/** Years whose late May holiday was moved into the jubilee's week. {@link SINGLE_DAYS} has the new date. */
const SPRING_MOVED = new Set([2012, 2022])

/** The holidays of a year by day; computed once. */
const holidaysIn = memoise((year: number): ReadonlyMap<number, string> => {
  const easter = easterSunday(year)
  const liberation = dayOf(year, 5, 9)
  const holidays = new Map<number, string>([
    [easter - 2, 'Good Friday'],
    [easter + 1, 'Easter Monday'],
    [mondayFrom(dayOf(year, 5, 1)), 'Early May Bank Holiday'],
    [mondayFrom(dayOf(year, 8, 25)), 'Summer Bank Holiday'],
  ])
  if (!SPRING_MOVED.has(year)) holidays.set(mondayFrom(dayOf(year, 5, 25)), 'Spring Bank Holiday')
  // On a Sunday, Liberation Day is no holiday and has no substitute day.
  if (weekdayOf(liberation) !== 0) holidays.set(liberation, 'Liberation Day')
  const keptOnWorkingDays: [number, string][] = [
    [dayOf(year, 1, 1), "New Year's Day"],
    [dayOf(year, 12, 25), 'Christmas Day'],
    [dayOf(year, 12, 26), 'Boxing Day'],
  ]
  for (const [day, name] of keptOnWorkingDays) holidays.set(day, name)
  for (const [day, name] of keptOnWorkingDays)
    if (isWeekend(day)) holidays.set(nextFreeWorkingDay(day, holidays), `${name} (substitute day)`)
  for (const [date, name] of SINGLE_DAYS)
    if (Number(date.slice(0, 4)) === year) holidays.set(Date.parse(date) / DAY_MS, name)
  return holidays
})

function nextFreeWorkingDay(day: number, holidays: ReadonlyMap<number, string>): number {
  let next = day + 1
  while (isWeekend(next) || holidays.has(next)) next++
  return next
}

const dayOf = (year: number, month: number, date: number) => Date.UTC(year, month - 1, date) / DAY_MS

const isWeekend = (day: number) => weekdayOf(day) === 0 || weekdayOf(day) === SATURDAY

/** The first Monday on or after a day. */
const mondayFrom = (day: number) => day + ((8 - weekdayOf(day)) % 7)

/** Easter from 1900 to 2099, by the rule of Gauss. */
function easterSunday(year: number): number {
  const a = year % 19
  const d = (19 * a + 24) % 30
  const e = (2 * (year % 4) + 4 * (year % 7) + 6 * d + 5) % 7
  const isTooLate = e === 6 && (d === 29 || (d === 28 && a > 10))
  return dayOf(year, 3, 22) + d + e - (isTooLate ? 7 : 0)
}
