import { type FreeSpacesOptions, freeSpaces, ISLAND_TIME_ZONE, TICK_MS } from './free-spaces.ts'
import { LIVE_CARPARKS, type LiveCarpark } from './live-carparks.ts'
import { type LocalTime, localTime } from './local-time.ts'

const TYPES = { LONG_STAY: 'Long stay', SHORT_STAY: 'Short stay' }

/** What the government's feed would answer at the instant, were the island's car parks its own. */
export function feedPayload(now: Date, options: FreeSpacesOptions = {}) {
  const at = new Date(Math.floor(now.getTime() / TICK_MS) * TICK_MS)
  const local = localTime(at, options.timeZone ?? ISLAND_TIME_ZONE)
  const carpark = LIVE_CARPARKS.map(live => entry(live, freeSpaces(live, at, options), local))
  return { carparkData: { Synthetic: { carpark }, Timestamp: timeText(local) } }
}

function entry(carpark: LiveCarpark, spaces: number, local: LocalTime) {
  const { closed } = carpark
  const isOpen = closed === undefined || (local.hour < closed.from && local.hour >= closed.until)
  return {
    name: carpark.name,
    code: carpark.code,
    spaces,
    type: TYPES[carpark.type],
    status: 'good',
    carparkOpen: isOpen,
    carparkInformation: closed === undefined ? '' : `Closed from ${closed.from}:00 to ${closed.until}:00`,
    numberOfUnusableSpaces: carpark.unusable,
    numberOfSpacesConsideredLow: Math.round(carpark.spaces / 10),
  }
}

/** The feed's own words: local time, and a date without its year. */
function timeText({ hour, minute, second, weekday, day, month }: LocalTime): string {
  const clock = [hour, minute, second].map(part => String(part).padStart(2, '0')).join(':')
  return `This information was updated at ${clock} on ${weekday} ${day} ${month}`
}
