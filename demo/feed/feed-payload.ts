import { countedTime, isMissing, isWild, stuckCount, TEST_ENTRY, toldTime } from './feed-faults.ts'
import {
  type FreeSpacesOptions,
  freeSpaces,
  type LocalTime,
  localTime,
  TICK_MS,
  wallTime,
} from './free-spaces.ts'
import { LIVE_CARPARKS, type LiveCarpark } from './live-carparks.ts'

const TYPES = { LONG_STAY: 'Long stay', SHORT_STAY: 'Short stay' }

/** The count of one entry of the feed. */
export interface SimulatedCount {
  readonly code: string
  readonly name: string
  readonly spaces: number
  readonly open: boolean
  /** Undefined for the test entry, which is no car park. */
  readonly carpark: LiveCarpark | undefined
}

/** The feed's own time at an instant: the time of the feed's last update. */
export function feedTime(now: Date, { timeZone }: FreeSpacesOptions = {}): Date {
  const tick = new Date(Math.floor(now.getTime() / TICK_MS) * TICK_MS)
  const wall = wallTime(tick, timeZone)
  return new Date(tick.getTime() - (wall - toldTime(wall)))
}

/** The feed's counts at its own time, including faults, in the feed's order. */
export function simulatedCounts(at: Date, options: FreeSpacesOptions = {}): SimulatedCount[] {
  const wall = wallTime(at, options.timeZone)
  const { hour } = localTime(at, options.timeZone)
  const counts = LIVE_CARPARKS.filter(({ code }) => !isMissing(code, wall)).map(carpark => {
    const { code, name, closed } = carpark
    const counted = new Date(at.getTime() - (wall - countedTime(code, wall)))
    const open = closed === undefined || (hour < closed.from && hour >= closed.until)
    return {
      code,
      name,
      open,
      carpark,
      spaces: isWild(code, wall) ? 0 : (stuckCount(code) ?? freeSpaces(carpark, counted, options)),
    }
  })
  return [...counts, { ...TEST_ENTRY, open: true, carpark: undefined }]
}

/** The payload of the feed at an instant, in the government feed's format. */
export function feedPayload(now: Date, options: FreeSpacesOptions = {}) {
  const at = feedTime(now, options)
  const local = localTime(at, options.timeZone)
  return {
    carparkData: {
      Synthetic: { carpark: simulatedCounts(at, options).map(entry) },
      Timestamp: timeText(local),
    },
  }
}

function entry({ code, name, spaces, open, carpark }: SimulatedCount) {
  const closed = carpark?.closed
  return {
    name,
    code,
    spaces,
    type: TYPES[carpark?.type ?? 'LONG_STAY'],
    status: 'good',
    carparkOpen: open,
    carparkInformation: closed === undefined ? '' : `Closed from ${closed.from}:00 to ${closed.until}:00`,
    numberOfUnusableSpaces: carpark?.unusable ?? 0,
    numberOfSpacesConsideredLow: Math.round((carpark?.spaces ?? spaces) / 10),
  }
}

/** The feed's text for a time: local time, and a date without a year. */
function timeText({ hour, minute, second, weekday, day, month }: LocalTime): string {
  const clock = [hour, minute, second].map(part => String(part).padStart(2, '0')).join(':')
  return `This information was updated at ${clock} on ${weekday} ${day} ${month}`
}
