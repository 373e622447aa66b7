import { LRUCache } from 'lru-cache'
import type { KeptHistory, LiveEntry, Observation, UncountedEntry } from '../store/store.ts'
import { type Forecast, noForecast, type TypicalWeek } from './forecast/forecast.ts'
import { createForecaster, type Forecaster } from './forecast/forecaster.ts'
import { createDataQuality, type DataQualityOptions, type Listing } from './quality/data-quality.ts'
import { type Assessment, because, explain, type Quality, type Reason } from './quality/quality.ts'
import { createTrend, type Trend } from './trend.ts'
import { ASSESSED_MS, createUntrusted, type Untrusted } from './untrusted.ts'

/** A car park that the feed counts or counted, with its latest name. */
export type FeedCarPark = Pick<LiveEntry, 'code' | 'name'>

/** The most entries that the feed may list. A forecaster takes 300 kB, so changing codes must not accumulate. */
const MOST_FORECASTERS = 500

interface Learned {
  /** Created with the first good reading, since it takes much memory. */
  forecaster?: Forecaster
  readonly trend: ReturnType<typeof createTrend>
  readonly untrusted: ReturnType<typeof createUntrusted>
  /** The time of the last reading that was learned and not retracted. */
  until: number
}

export interface ModelOptions extends DataQualityOptions {
  readonly now: () => number
}

/** The present state, derived from the observed counts alone. Codes are compared without regard to case. */
export type ParkingModel = ReturnType<typeof createModel>

/**
 * Creates a model that only learns from good counts, and begins with the names of kept readings. Without `kept`, the past
 * has not been read, so no count can be checked against it.
 */
export function createModel({ clock, records, now }: ModelOptions, kept?: readonly KeptHistory[]) {
  const dataQuality = createDataQuality({ clock, records })
  const unknown = createForecaster(clock)
  /** By code in upper case. */
  const learned = new LRUCache<string, Learned>({
    max: MOST_FORECASTERS,
    memoMethod: () => ({
      trend: createTrend(),
      untrusted: createUntrusted(),
      until: Number.NEGATIVE_INFINITY,
    }),
  })
  /** By code in upper case. */
  let carParks = named(kept ?? [])
  /** The entries of the feed's last observation, with a usable count or without, by code in upper case. */
  let listed: ReadonlyMap<string, LiveEntry | UncountedEntry> = new Map()
  let listedAt = Number.NEGATIVE_INFINITY

  const learnedOf = (code: string): Learned | undefined => learned.peek(code.toUpperCase())
  const forecasterOf = (code: string): Forecaster => learnedOf(code)?.forecaster ?? unknown

  function learn(
    code: string,
    reading: { at: number; spaces: number },
    { quality, since }: Assessment,
  ): void {
    const of = learned.memo(code.toUpperCase())
    if (quality === 'good') {
      of.forecaster ??= createForecaster(clock)
      of.forecaster.observe(reading)
      of.trend.observe(reading)
      of.until = reading.at
      return
    }
    const from = since ?? reading.at
    of.untrusted.add({ from, to: reading.at, quality })
    if (from > of.until) return
    // A stuck sensor is detected long after it stopped: readings since then are retracted.
    of.forecaster?.retract(from, reading.at)
    of.trend.retract(from)
    of.until = from - 1
  }

  /** Takes a listing of the feed, in the order of time. A late listing changes nothing. */
  function observe(listing: Listing): void {
    const assessments = dataQuality.observe(listing)
    for (const [place, { code, spaces }] of listing.entries.entries()) {
      const assessment = assessments[place]
      if (assessment !== undefined) learn(code, { at: listing.at, spaces }, assessment)
    }
  }

  /**
   * The data quality of a car park's count. Right after a start, readings of the store may be later than the last observation,
   * and the counts of that observation must never look newer than they are. A car park that is listed without a usable count
   * is not missing.
   */
  function quality(code: string): Assessment {
    const entry = listed.get(code.toUpperCase())
    let assessment = dataQuality.assessment(code, now())
    if (entry && 'spaces' in entry) assessment = datedAt(listedAt, assessment)
    else if (entry) {
      const reason = because(entry.open ? 'impossible-count' : 'feed-says-closed')
      assessment = { ...assessment, ...reason, since: listedAt }
    }
    return kept === undefined ? withoutPast(assessment) : assessment
  }

  return {
    observe,
    /** Takes a new observation of the feed, and the names in it. */
    take({ timestamp, entries, uncounted = [] }: Observation): void {
      listed = new Map([...entries, ...uncounted].map(entry => [entry.code.toUpperCase(), entry]))
      listedAt = Date.parse(timestamp)
      carParks = new Map([...carParks, ...named([...listed.values()])])
      observe({ at: listedAt, entries })
    },
    /** The car parks that the feed counts or counted, by code. */
    carParks: (): readonly FeedCarPark[] =>
      [...carParks].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, carPark]) => carPark),
    /** A car park that the feed counts or counted. */
    carPark: (code: string): FeedCarPark | undefined => carParks.get(code.toUpperCase()),
    /** A car park's entry in the last observation, with a usable count or without. */
    listed: (code: string): LiveEntry | UncountedEntry | undefined => listed.get(code.toUpperCase()),
    /** Drops the names of car parks without kept readings that the feed does not list. */
    keepOnly(kept: readonly KeptHistory[]): void {
      carParks = named([...kept, ...listed.values()])
    },
    quality,
    /** The data quality of all car parks that have a record or were listed lately, by code in upper case. */
    qualities: (): ReadonlyMap<string, Assessment> =>
      new Map([...dataQuality.codes()].map(code => [code, quality(code)])),
    /** How the count has changed over half an hour; null unless both counts are good, as far as is known now. */
    trend(code: string): Trend | null {
      if (quality(code).quality !== 'good') return null
      return learnedOf(code)?.trend.trend(records()?.get(code.toUpperCase()) ?? 0) ?? null
    },
    /** The quality of a past reading as far as is known now; null for a reading so old that it was not assessed. */
    pastQuality(code: string, at: number): Quality | null {
      const of = learnedOf(code)
      if (of === undefined || at < dataQuality.latest() - ASSESSED_MS) return null
      return of.untrusted.within(at, at + 1).at(-1)?.quality ?? 'good'
    },
    /** The times within a period, its end excluded, of readings that cannot be trusted. */
    untrusted: (code: string, from: number, to: number): readonly Untrusted[] =>
      learnedOf(code)?.untrusted.within(from, to) ?? [],
    /** The forecast for the next two hours, or the reason why it cannot be made. */
    forecast(code: string): Forecast {
      const { quality: present, reason } = quality(code)
      if (present === 'frozen' || present === 'closed' || present === 'missing')
        return noForecast('COUNT_NOT_TRUSTED', explain(reason))
      return forecasterOf(code).forecast(now())
    },
    /** The typical week, or the reason why it cannot be made. */
    typical: (code: string): TypicalWeek => forecasterOf(code).typical(),
  }
}

const named = (carParks: readonly FeedCarPark[]): Map<string, FeedCarPark> =>
  new Map(carParks.map(({ code, name }) => [code.toUpperCase(), { code, name }]))

const datedAt = (observedAt: number, assessment: Assessment): Assessment => ({
  ...assessment,
  observedAt,
  changedAt: assessment.changedAt === null ? null : Math.min(assessment.changedAt, observedAt),
})

/** Reasons that follow from the past counts; the others follow from the reading alone. */
const NEEDS_PAST: readonly Reason[] = [
  'never-listed',
  'standing-still',
  'standing-still-with-others',
  'impossible-jump',
  'nothing-suspicious',
]

/** The assessment of a count while the past counts have not been read. */
const withoutPast = (assessment: Assessment): Assessment => ({
  ...assessment,
  ...(NEEDS_PAST.includes(assessment.reason) && because('history-not-read')),
  changedAt: null,
})
