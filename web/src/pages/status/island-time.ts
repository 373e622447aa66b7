const ZONE = 'Europe/Jersey'

const CLOCK = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' })
const DAY = new Intl.DateTimeFormat('en-GB', {
  timeZone: ZONE,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
})
const YEAR = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, year: 'numeric' })

/** A time by the island's clock: "today at 08:10", "yesterday at 17:45", "Monday 16 November at 09:00". */
export function timeInWords(time: number, now: number): string {
  return `${dayInWords(time, now)} at ${CLOCK.format(time)}`
}

const DAY_MS = 86_400_000

/** A day by the island's clock: "today", "yesterday", "Monday 16 November", with its year if it is another. */
export function dayInWords(time: number, now: number): string {
  const day = DAY.format(time)
  const year = YEAR.format(time)
  const inYear = year === YEAR.format(now)
  if (inYear && day === DAY.format(now)) return 'today'
  if (Math.abs(now - time) < 3 * DAY_MS && day === DAY.format(now - DAY_MS)) return 'yesterday'
  if (Math.abs(now - time) < 3 * DAY_MS && day === DAY.format(now + DAY_MS)) return 'tomorrow'
  return inYear ? day.replace(',', '') : `${day.replace(',', '')} ${year}`
}

/** How long ago a time was: "just now", "5 minutes ago", "3 hours ago", "12 days ago". */
export function ageInWords(time: number, now: number): string {
  const minutes = Math.floor((now - time) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} ago`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} ${hours === 1 ? 'hour' : 'hours'} ago`
  return `${Math.floor(hours / 24)} days ago`
}
