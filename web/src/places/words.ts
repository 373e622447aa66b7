/** The island's clock, whatever that of the device. */
const timeZone = 'Europe/Jersey'

const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
const date = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'long', year: 'numeric' })

/** A time by the island's clock, such as 08:10. */
export const timeText = (moment: string | number): string => time.format(new Date(moment))

/** A date by the island's calendar, such as 16 November 2026. */
export const dateText = (moment: string | number): string => date.format(new Date(moment))

/** A distance on foot: metres up to one kilometre, then kilometres. */
export const distanceText = (metres: number): string =>
  metres < 1000 ? `${Math.max(10, Math.round(metres / 10) * 10)} m` : `${(metres / 1000).toFixed(1)} km`

/** A number with its noun, such as "1 sink" and "2 sinks". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** Words as a list in a sentence. */
export const listed = (words: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(words)
