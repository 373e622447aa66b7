/** The island's own zone: nobody who parks there thinks in the device's. */
const TIME_ZONE = 'Europe/Jersey'

const CLOCK = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: TIME_ZONE, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
})
const DAY = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: TIME_ZONE, weekday: 'long', day: 'numeric', month: 'long' },
})
const DATE = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: TIME_ZONE, year: 'numeric', month: '2-digit', day: '2-digit' },
})

type Time = number | string

/** The parts of a date: browsers differ in what they write between them. */
const partsOf = (format: Intl.DateTimeFormat, time: Time) =>
  Object.fromEntries(format.formatToParts(new Date(time)).map(({ type, value }) => [type, value]))

/** The time by the island's clock, such as `09:00`. */
export const clockTime = (time: Time): string => CLOCK.format(new Date(time))

/** The day by the island's clock, such as `Monday 16 November`. */
export function dayOf(time: Time): string {
  const { weekday, day, month } = partsOf(DAY, time)
  return `${weekday} ${day} ${month}`
}

/** The weekday by the island's clock, such as `Monday`. */
export const weekdayOf = (time: Time): string => partsOf(DAY, time).weekday ?? ''

/** The date by the island's clock, such as `2026-11-16`. */
export function dateOf(time: Time): string {
  const { year, month, day } = partsOf(DATE, time)
  return `${year}-${month}-${day}`
}

/** The day and time, such as `Monday 16 November at 09:00`. */
export const dayAndTime = (time: Time): string => `${dayOf(time)} at ${clockTime(time)}`

/** The time, with its day where that is not the day of another time. */
export const timeBeside = (time: Time, other: Time): string =>
  dateOf(time) === dateOf(other) ? clockTime(time) : dayAndTime(time)
