import type { LocalClock } from '../../src/parking/local-clock.ts'
import { createDataQuality, type Listing } from '../../src/parking/quality/data-quality.ts'
import type { Assessment, Quality } from '../../src/parking/quality/quality.ts'
import type { HistoricReading } from '../../src/store/store.ts'
import { daytimeMinutes } from './daytime.ts'

/** A time in which a count was held frozen. */
export interface Alarm {
  readonly code: string
  /** Since when it is held to stand still. */
  readonly since: number
  readonly foundAt: number
  readonly reason: string
  readonly spaces: number
  /** The first reading that was not held frozen; undefined where there is none. */
  endedAt: number | undefined
}

/** A reading held implausible, the first of its run. */
export interface Wild {
  readonly code: string
  readonly at: number
  readonly before: number | undefined
  readonly spaces: number
}

/** A count that stood still and was held good. */
export interface Stretch {
  readonly code: string
  readonly from: number
  to: number
  readonly spaces: number
  daytime: number
}

/** What the judges made of a history. */
export interface Replay {
  readonly alarms: Alarm[]
  readonly wild: Wild[]
  /** The longest of each count held good, an hour of daytime at least. */
  readonly stretches: Stretch[]
  /** Readings by car park and quality. */
  readonly shares: Map<string, Map<Quality, number>>
  /** Months in which each car park has readings, by days with some. */
  readonly months: Map<string, number>
  /** Times of the first and the last reading. */
  readonly first: number
  readonly last: number
  readonly milliseconds: number
}

const HOUR_MINUTES = 60
const DAY_MS = 86_400_000
const DAYS_IN_MONTH = 30.4

/** Streams readings in the order of time through the judges. An entry named TEST is taken for no car park. */
export function replay(readings: readonly HistoricReading[], clock: LocalClock): Replay {
  const codes = new Set(readings.map(({ code }) => code))
  const records = new Map([...codes].filter(code => code !== 'TEST').map(code => [code, null]))
  const trust = createDataQuality({ clock, records: () => records })
  const books = new Map([...codes].map(code => [code, book(code, clock)]))
  const start = performance.now()
  const rounds: { listing: Listing; verdicts: readonly Assessment[] }[] = []
  for (const listing of listings(readings)) {
    trust.observe(listing)
    const verdicts = listing.entries.map(({ code }) => trust.assessment(code, listing.at))
    rounds.push({ listing, verdicts })
  }
  const milliseconds = performance.now() - start
  for (const { listing, verdicts } of rounds)
    for (const [i, { code, spaces }] of listing.entries.entries())
      books.get(code)?.note(listing.at, spaces, verdicts[i] as Assessment)
  const all = [...books.values()]
  return {
    alarms: all.flatMap(({ alarms }) => alarms).sort((a, b) => a.foundAt - b.foundAt),
    wild: all.flatMap(({ wild }) => wild).sort((a, b) => a.at - b.at),
    stretches: all.flatMap(({ stretches }) => [...stretches]).sort((a, b) => b.daytime - a.daytime),
    shares: new Map(all.map(({ code, share }) => [code, share])),
    months: new Map(all.map(({ code, days }) => [code, days.size / DAYS_IN_MONTH])),
    first: readings[0]?.at ?? 0,
    last: readings.at(-1)?.at ?? 0,
    milliseconds,
  }
}

/** The readings of each time together. */
export function* listings(readings: readonly HistoricReading[]): Generator<Listing> {
  let entries: HistoricReading[] = []
  for (const reading of readings) {
    if (entries[0] !== undefined && entries[0].at !== reading.at) {
      yield { at: entries[0].at, entries }
      entries = []
    }
    entries.push(reading)
  }
  if (entries[0] !== undefined) yield { at: entries[0].at, entries }
}

/** What is noted of one car park. */
function book(code: string, clock: LocalClock) {
  const alarms: Alarm[] = []
  const wild: Wild[] = []
  const stretches: Stretch[] = []
  const share = new Map<Quality, number>()
  const days = new Set<number>()
  let last: Quality | undefined
  let before: number | undefined
  let open: Stretch | undefined

  function endStretch(): void {
    if (open === undefined) return
    open.daytime = daytimeMinutes(clock, open.from, open.to)
    if (open.daytime >= HOUR_MINUTES) stretches.push(open)
    open = undefined
  }

  function note(at: number, spaces: number, { quality, reason, since, changedAt }: Assessment): void {
    share.set(quality, (share.get(quality) ?? 0) + 1)
    days.add(Math.floor(at / DAY_MS))
    if (quality === 'frozen' && last !== 'frozen')
      alarms.push({ code, since: since ?? at, foundAt: at, reason, spaces, endedAt: undefined })
    const alarm = alarms.at(-1)
    if (quality !== 'frozen' && last === 'frozen' && alarm) alarm.endedAt = at
    if (quality === 'implausible' && last !== 'implausible') wild.push({ code, at, before, spaces })
    if (quality === 'frozen') open = undefined
    else if (quality === 'good') {
      if (open?.from !== changedAt) {
        endStretch()
        open = { code, from: changedAt ?? at, to: at, spaces, daytime: 0 }
      } else open.to = at
    }
    if (quality === 'good') before = spaces
    last = quality
  }

  return { code, alarms, wild, stretches, share, days, note }
}
