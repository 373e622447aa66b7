import { bankHolidaysIn } from '../bank-holidays.ts'
import type { Forecast, Unsupported } from '../forecast/forecast.ts'
import { createForecaster, type Forecaster } from '../forecast/forecaster.ts'
import type { TypicalWeek } from '../forecast/typical-week.ts'
import type { LocalClock } from '../local-clock.ts'
import { explain, type Verdict } from '../trust/quality.ts'
import { type CarParkRecords, createTrust, type Listing } from '../trust/trust.ts'

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

/** Judges what is observed, and lets only good counts into what is learned of a car park. */
export function createInsight(options: {
  clock: LocalClock
  records: () => CarParkRecords | undefined
}): CarparkInsight {
  const { clock, records } = options
  const bankHoliday = bankHolidaysIn(clock.timeZone)
  const trust = createTrust({ clock, records, isHoliday: day => bankHoliday(day) !== undefined })
  const forecasters = new Map<string, Forecaster>()
  /** By code in upper case, the last reading that was learned and not withdrawn. */
  const learnedAt = new Map<string, number>()
  let latest = Number.NEGATIVE_INFINITY

  function forecasterOf(code: string): Forecaster {
    const key = code.toUpperCase()
    const known = forecasters.get(key)
    if (known !== undefined) return known
    const made = createForecaster({ clock, bankHoliday })
    forecasters.set(key, made)
    return made
  }

  function learn(code: string, reading: { at: number; spaces: number }, verdict: Verdict): void {
    const key = code.toUpperCase()
    if (verdict.quality === 'good') {
      forecasterOf(code).observe(reading)
      learnedAt.set(key, reading.at)
    } else if (verdict.since !== null && verdict.since <= (learnedAt.get(key) ?? Number.NEGATIVE_INFINITY)) {
      // A freeze is found long after it began: what was learned since then was not so.
      forecasterOf(code).distrust(verdict.since, reading.at)
      learnedAt.delete(key)
    }
  }

  return {
    observe(listing) {
      if (listing.at <= latest) return
      latest = listing.at
      const verdicts = trust.observe(listing)
      for (const [place, { code, spaces }] of listing.entries.entries()) {
        const verdict = verdicts[place]
        if (verdict !== undefined) learn(code, { at: listing.at, spaces }, verdict)
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
