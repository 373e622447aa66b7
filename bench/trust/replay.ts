import type { LocalClock } from '../../src/parking/local-clock.ts'
import { createDataQuality, type Listing } from '../../src/parking/quality/data-quality.ts'
import type { Assessment, Quality } from '../../src/parking/quality/quality.ts'
import type { HistoricReading } from '../../src/store/store.ts'
import { daytimeMinutes } from './daytime.ts'

/** A period when a count was assessed as frozen. */
export interface Alarm {
  readonly code: string
  /** The assessed start of the freeze. */
  readonly since: number
  readonly foundAt: number
  readonly reason: string
  readonly spaces: number
  /** The first reading that was not frozen any more, or undefined. */
  endedAt: number | undefined
}

/** The first reading of a run of implausible readings. */
export interface Wild {
  readonly code: string
  readonly at: number
  readonly before: number | undefined
  readonly spaces: number
}

/** A period when a count stood still and was assessed as good. */
export interface Stretch {
  readonly code: string
  readonly from: number
  to: number
  readonly spaces: number
  daytime: number
}

/** The assessments of a history. */
export interface Replay {
  readonly alarms: Alarm[]
  readonly wild: Wild[]
  /** Periods without a change in good counts, an hour of daytime at least. */
  readonly stretches: Stretch[]
  /** Readings by car park and quality. */
  readonly shares: Map<string, Map<Quality, number>>
  /** Months of readings of each car park, from the number of days with readings. */
  readonly months: Map<string, number>
  /** Times of the first and the last reading. */
  readonly first: number
  readonly last: number
  readonly milliseconds: number
}

const HOUR_MINUTES = 60
const DAY_MS = 86_400_000
const DAYS_IN_MONTH = 30.4

/** Streams readings by time through the quality check. An entry named TEST is not a car park. */
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

/** Groups the readings by time. */
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

/** Collects the assessments of one car park. */
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
