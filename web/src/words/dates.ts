/** The island's clock: pages show it wherever they are read. */
const ISLAND = 'Europe/Jersey'

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const
const SHORT_DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const
const islandDay = new Intl.DateTimeFormat('en-GB', { ...DAY, timeZone: ISLAND })
const islandTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: ISLAND })
const calendarDay = new Intl.DateTimeFormat('en-GB', { ...SHORT_DAY, timeZone: 'UTC' })

/** The day of a moment by the island's clock: `7 June 2024`. */
export const dayOf = (moment: string): string => islandDay.format(new Date(moment))

/** A moment by the island's clock, `today at 08:10` or `on 7 June 2024 at 08:10`. */
export function momentOf(moment: string | number, now: Date = new Date()): string {
  const at = new Date(moment)
  const day = islandDay.format(at)
  return `${day === islandDay.format(now) ? 'today' : `on ${day}`} at ${islandTime.format(at)}`
}

/** A calendar date, which the API writes as midnight UTC: `7 Jun 2024`. */
export const calendarDate = (midnight: string): string => calendarDay.format(new Date(midnight))

const STEPS = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
]

/** An age in its largest whole unit: `3 days ago`. */
export function ageInWords(seconds: number): string {
  const step = STEPS.find(each => seconds >= each.seconds)
  if (step === undefined) return 'just now'
  const count = Math.floor(seconds / step.seconds)
  return `${count} ${step.unit}${count === 1 ? '' : 's'} ago`
}
