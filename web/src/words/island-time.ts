import { site } from '../site.ts'
import { language } from '../texts/en/language.ts'
import { words } from '../texts/en/words.ts'
import { text } from '../texts/text.ts'

/**
 * Makes a format in the zone of the island at its first use: islanders think in that zone, whatever zone a device has. A service
 * worker does not know the island, and uses the zone of the device.
 */
function islandFormat(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  let made: { readonly timeZone: string | undefined; readonly format: Intl.DateTimeFormat } | undefined
  return () => {
    const timeZone = site?.island.timeZone
    if (made?.timeZone !== timeZone || made === undefined)
      made = { timeZone, format: new Intl.DateTimeFormat(language.locale, { timeZone, ...options }) }
    return made.format
  }
}

const local = islandFormat({
  ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
})
// A month without a day has another form in some languages.
const monthAlone = islandFormat({ month: 'long', year: 'numeric' })
const numeric = islandFormat({ numberingSystem: 'latn', day: '2-digit', month: '2-digit', year: 'numeric' })
const CALENDAR = new Intl.DateTimeFormat(language.locale, {
  ...{ timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' },
})

/** Milliseconds since 1970, or a time as the API writes it. */
type Time = number | string

type Parts = Readonly<Record<Intl.DateTimeFormatPartTypes, string>>

/** Gives the parts of a time. Browsers and Node.js write different characters between the parts. */
const partsOf = (format: Intl.DateTimeFormat, time: Time): Parts =>
  Object.fromEntries(format.formatToParts(new Date(time)).map(({ type, value }) => [type, value])) as Parts

const dateFrom = (parts: Parts) => text(words.date, parts)

/** A time by the island's clock: `08:10`. */
export function clockTime(time: Time): string {
  const { hour, minute } = partsOf(local(), time)
  return `${hour}:${minute}`
}

/** A date by the island's clock: `16 November 2026`. */
export const dateOf = (time: Time): string => dateFrom(partsOf(local(), time))

/** A month by the island's clock: `November 2026`. */
export const monthOf = (time: Time): string => text(words.month, partsOf(monthAlone(), time))

/** A calendar date, which the API writes as midnight UTC: `16 November 2026`. */
export const calendarDate = (midnight: string): string => dateFrom(partsOf(CALENDAR, midnight))

/** A date by the island's clock for programs: `2026-11-16`. */
export function isoDate(time: Time): string {
  const { year, month, day } = partsOf(numeric(), time)
  return `${year}-${month}-${day}`
}

/** The weekday by the island's clock: `Monday`. */
export const weekdayOf = (time: Time): string => partsOf(local(), time).weekday

/** The day by the island's clock: `Monday 16 November`. */
export const dayOf = (time: Time): string => text(words.day, partsOf(local(), time))

/** The day and time by the island's clock: `Monday 16 November at 09:00`. */
export const dayAndTime = (time: Time): string =>
  text(words.dayAndTime, { day: dayOf(time), time: clockTime(time) })

/** The time, with its day unless the other time is on the same day. */
export const timeBeside = (time: Time, other: Time): string =>
  isoDate(time) === isoDate(other) ? clockTime(time) : dayAndTime(time)
