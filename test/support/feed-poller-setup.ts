import type { TestContext } from 'node:test'
import { createFeedPoller, type FeedPollerOptions, type PollResult } from '../../src/parking/feed/poller.ts'
import type { Observation } from '../../src/store/store.ts'
import type { Clock } from '../../src/values/clock.ts'
import { type Behaviour, entry, payload, startUpstream } from './misbehaving-upstream.ts'

/** A clock that stands still until it is told to go to the next timer. */
export class FakeClock implements Clock {
  /** The true time, by which timers run. */
  time = Date.parse('2024-02-04T12:00:30.000Z')
  /** By how much the machine's clock is wrong. */
  wrongBy = 0
  timers = new Map<number, { at: number; callback: () => void }>()
  #handle = 0
  now = () => new Date(this.time + this.wrongBy)
  setTimeout = (callback: () => void, milliseconds: number) => {
    this.timers.set(++this.#handle, { at: this.time + milliseconds, callback })
    return this.#handle
  }
  clearTimeout = (handle: unknown) => void this.timers.delete(handle as number)
  /** Goes to the earliest timer and fires it; false where there is none. */
  next(): boolean {
    const [first] = [...this.timers].sort(([, a], [, b]) => a.at - b.at)
    if (first === undefined) return false
    this.timers.delete(first[0])
    this.time = Math.max(this.time, first[1].at)
    first[1].callback()
    return true
  }
}

/** A store of observations in memory that can fail. */
export class Readings {
  saved: Observation[] = []
  broken = false
  loads = 0
  async latestObservation(): Promise<Observation | undefined> {
    this.loads++
    if (this.broken) throw new Error('disk full')
    return this.saved.at(-1)
  }
  async saveObservation(observation: Observation): Promise<void> {
    if (this.broken) throw new Error('disk full')
    this.saved.push(observation)
  }
}

type Line = Record<string, unknown> & { level: string }

/** A poller of a real upstream, on a clock of its own; stopped when the test ends. */
export async function setUpPoller(
  t: TestContext,
  behaviour: Behaviour,
  more: Partial<FeedPollerOptions> & { readings?: Readings } = {},
) {
  const upstream = await startUpstream(behaviour)
  const clock = new FakeClock()
  const readings = more.readings ?? new Readings()
  const lines: Line[] = []
  const results: PollResult[] = []
  const logAs = (level: string) => (details: object) => void lines.push({ level, ...details })
  const poller = createFeedPoller({
    ...{ url: upstream.url, intervalSeconds: 60, timeZone: 'Europe/Jersey', store: readings, clock },
    ...{ log: { info: logAs('info'), warn: logAs('warn'), error: logAs('error') }, synthetic: false },
    onPoll: result => void results.push(result),
    ...more,
  })
  t.after(async () => {
    await poller.stop()
    await upstream.close()
  })
  /** Lets time run until so many polls are over and the next is planned. */
  const polls = async (count: number) => {
    while (results.length < count || !planned()) {
      if (results.length < count) clock.next()
      await new Promise(setImmediate)
    }
  }
  const planned = () => clock.timers.size > 0
  const events = () => lines.map(({ event }) => event)
  return { upstream, clock, readings, lines, results, poller, polls, events }
}

/** A payload with one car park, written at this local time. */
export const at = (time: string, spaces = 100) =>
  payload([entry('GREENST', spaces)], `This information was updated at ${time} on Sunday 4 February`)

/** What the feed says of an instant, in the local time of the zone that it believes to be in. */
export function said(instant: number, timeZone = 'Europe/Jersey'): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...({ timeZone, hourCycle: 'h23', weekday: 'long', day: 'numeric', month: 'long' } as const),
    ...({ hour: '2-digit', minute: '2-digit', second: '2-digit' } as const),
  }).formatToParts(instant)
  const part = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  const time = `${part.hour}:${part.minute}:${part.second}`
  return `This information was updated at ${time} on ${part.weekday} ${part.day} ${part.month}`
}

/** The same time as the service writes it. */
export const iso = (time: string) => `2024-02-04T${time}.000Z`

/** An observation of that time. */
export const stored = (time: string): Observation => ({
  timestamp: iso(time),
  entries: [{ name: 'Green Street', code: 'GREENST', spaces: 7, status: 'good', open: true }],
})
