import { bankHolidaysIn } from '../forecast/bank-holidays.ts'
import type { Forecast, Unsupported } from '../forecast/forecast.ts'
import { createForecaster, type Forecaster } from '../forecast/forecaster.ts'
import type { TypicalWeek } from '../forecast/typical-week.ts'
import type { LocalClock } from '../local-clock.ts'
import { type CarParkRecords, createTrust, type Listing } from '../quality/assessment.ts'
import { explain, type Verdict } from '../quality/quality.ts'

/** What follows from the counts that were observed, and from nothing else. Codes are the same in any case. */
export interface CarparkInsight {
  /** Takes what the feed lists, in the order of time; what comes late changes nothing. */
  observe(listing: Listing): void
  /** How far a car park's count can be trusted at a time. */
  verdict(code: string, now: number): Verdict
  /** The verdicts on all car parks that have a record or were listed lately, by code in upper case. */
  verdicts(now: number): ReadonlyMap<string, Verdict>
  /** What the next two hours will likely bring, or why that cannot be told. */
  forecast(code: string, now: number): Forecast | Unsupported
  /** How full it usually is, or why that cannot be told. */
  typical(code: string): TypicalWeek | Unsupported
}

export interface InsightOptions {
  readonly clock: LocalClock
  /** Spaces of the car parks by code in upper case; undefined where no list of car parks is published. */
  readonly records: () => CarParkRecords | undefined
}

/** As many as the feed may list at once. What is learned of one takes 300 kB, so that codes that change cost no more. */
const MOST_LEARNED = 500

interface Learned {
  readonly forecaster: Forecaster
  /** The last reading that was learned and not withdrawn. */
  until: number
}

/** Judges what is observed, and lets only good counts into what is learned of a car park. */
export function createInsight({ clock, records }: InsightOptions): CarparkInsight {
  const bankHoliday = bankHolidaysIn(clock.timeZone)
  const trust = createTrust({ clock, records, isHoliday: day => bankHoliday(day) !== undefined })
  const unknown = createForecaster({ clock, bankHoliday })
  /** By code in upper case, those that learned last at the end. */
  const learned = new Map<string, Learned>()
  let latest = Number.NEGATIVE_INFINITY

  const forecasterOf = (code: string): Forecaster => learned.get(code.toUpperCase())?.forecaster ?? unknown

  function toLearn(key: string): Learned {
    const of = learned.get(key) ?? {
      forecaster: createForecaster({ clock, bankHoliday }),
      until: Number.NEGATIVE_INFINITY,
    }
    learned.delete(key)
    learned.set(key, of)
    const [oldest] = learned.keys()
    if (learned.size > MOST_LEARNED && oldest !== undefined) learned.delete(oldest)
    return of
  }

  function learn(key: string, reading: { at: number; spaces: number }, { quality, since }: Verdict): void {
    if (quality === 'good') {
      const of = toLearn(key)
      of.forecaster.observe(reading)
      of.until = reading.at
      return
    }
    const of = learned.get(key)
    if (of === undefined || since === null || since > of.until) return
    // A freeze is found long after it began: what was learned since then was not so.
    of.forecaster.distrust(since, reading.at)
    of.until = since - 1
  }

  return {
    observe(listing) {
      if (listing.at <= latest) return
      latest = listing.at
      const verdicts = trust.observe(listing)
      for (const [place, { code, spaces }] of listing.entries.entries()) {
        const verdict = verdicts[place]
        if (verdict !== undefined) learn(code.toUpperCase(), { at: listing.at, spaces }, verdict)
      }
    },
    verdict: trust.verdict,
    verdicts: trust.verdicts,
    forecast(code, now) {
      const { quality, reason } = trust.verdict(code, now)
      if (quality === 'frozen' || quality === 'closed' || quality === 'missing')
        return { reason: 'COUNT_NOT_TRUSTED', detail: explain(reason) }
      return forecasterOf(code).forecast(now)
    },
    typical: code => forecasterOf(code).typical(),
  }
}
