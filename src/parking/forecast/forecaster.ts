import type { Reading } from '../../store/store.ts'
import { memoise } from '../../values/memoise.ts'
import { MINUTE_MS } from '../../values/time-units.ts'
import type { LocalClock } from '../local-clock.ts'
import { chanceOfTen } from './chance.ts'
import { dayFrame } from './day-frame.ts'
import { type Forecast, type ForecastEntry, noForecast, type TypicalWeek } from './forecast.ts'
import { CHANGES_OVER, HORIZONS, OLDEST_PRESENT_MS } from './parameters.ts'
import { ABSENT, createRingBuffer, SLOT_MS, STEPS_AHEAD } from './ring-buffer.ts'
import { changeOnSimilarDays, type Present } from './similar-days.ts'
import { typicalWeek } from './typical-week.ts'
import { BLOCK_SLOTS, createVerification, RECORDED_EVERY, type RecordedForecast } from './verification.ts'

/** A good reading of the car park. */
export type GoodReading = Pick<Reading, 'at' | 'spaces'>

/** Learns from one car park's good readings, and forecasts its free spaces. */
export type Forecaster = ReturnType<typeof createForecaster>

/** Creates a forecaster without any reading, by the clock of the car park's visitors. The back-test listens to the chances. */
export function createForecaster(clock: LocalClock, chance = chanceOfTen) {
  const counts = createRingBuffer()
  const verification = createVerification(counts)
  let latest: GoodReading | undefined
  let latestIsBad = false
  let lastSlot = Number.NEGATIVE_INFINITY

  /** The slot that begins nearest to an instant. */
  const slotAt = (at: number) => Math.round(clock.wallTime(at) / SLOT_MS)
  let derived = derive()

  /** Too expensive for each reading: the frame changes with the day, the quantiles with the block of hours. */
  function derive() {
    const quantilesOf = (block: number) =>
      HORIZONS.map((_, horizon) => verification.residualQuantiles(block * BLOCK_SLOTS, horizon))
    return {
      frameOf: memoise((_day: number) => dayFrame(counts, clock), 1),
      quantilesOf: memoise(quantilesOf, 1),
    }
  }

  function presentOf({ at, spaces }: GoodReading): Present {
    const slot = slotAt(at)
    return {
      slot,
      spaces,
      back: CHANGES_OVER.map(minutes => slot - slotAt(at - minutes * MINUTE_MS)),
      ahead: HORIZONS.map(minutes => slotAt(at + minutes * MINUTE_MS) - slot),
    }
  }

  /** By horizon; low, high and the chance are absent until enough outcomes are known. */
  function estimate(present: Present): EstimatedForecast[] | undefined {
    const today = derived.frameOf(counts.day())
    const changes = changeOnSimilarDays(counts, today, present)
    if (changes === undefined) return undefined
    const most = Math.max(today.largest, present.spaces)
    const within = (spaces: number) => Math.min(Math.max(spaces, 0), most)
    const byHorizon = derived.quantilesOf(Math.floor(present.slot / BLOCK_SLOTS))
    return changes.map((change, horizon) => {
      const mean = present.spaces + change.mean
      const expected = within(Math.round(mean))
      const residuals = byHorizon[horizon]
      if (residuals === undefined) return { expected, low: ABSENT, high: ABSENT, chanceOfTen: ABSENT }
      const low = within(expected + Math.min(Math.floor(residuals[0]), 0))
      const high = within(expected + Math.max(Math.ceil(residuals[1]), 0))
      const deviation = (change.deviation + (residuals[1] - residuals[0]) / DEVIATIONS_WIDE) / 2
      const outlook = { expected: mean, deviation, enough: change.enough }
      return { expected, low, high, chanceOfTen: chance(horizon, outlook) }
    })
  }

  return {
    /** Takes a good reading, in the order of time; a late one is ignored. */
    observe(reading: GoodReading): void {
      if (latest !== undefined && reading.at <= latest.at) return
      latest = reading
      latestIsBad = false
      const slot = slotAt(reading.at)
      // In the DST overlap the counts of the first pass stay.
      if (slot < lastSlot) return
      const isNew = slot > lastSlot
      lastSlot = slot
      counts.write(slot, reading.spaces)
      if (!isNew || slot % RECORDED_EVERY !== 0) return
      const present = presentOf(reading)
      const made = estimate(present)
      if (made === undefined) return
      // A forecast over a change of clock is not verified: its outcome lies in another slot.
      const isUsual = (horizon: number) => present.ahead[horizon] === STEPS_AHEAD[horizon]
      const verified = made.map((one, horizon) => (isUsual(horizon) ? one : UNVERIFIED))
      verification.record(slot, verified)
    },
    /** Retracts the readings from one time to another, both included: they turned out to be bad. */
    retract(from: number, to: number): void {
      const [first, last] = [slotAt(from), slotAt(to)]
      // By the wall clock the DST overlap can end before it began.
      const range = [Math.min(first, last), Math.max(first, last)] as const
      counts.clear(...range)
      verification.clear(...range)
      derived = derive()
      if (latest !== undefined && latest.at >= from && latest.at <= to) latestIsBad = true
    },
    /** The forecast from the last good reading, or the reason why it cannot be made. */
    forecast(now: number): Forecast {
      if (latest === undefined) return noRecentCount
      if (latestIsBad) return notTrusted
      if (now - latest.at > OLDEST_PRESENT_MS) return noRecentCount
      const present = presentOf(latest)
      const made = estimate(present)
      if (made === undefined) return tooLittlePast
      if (made.some(({ low }) => low === ABSENT)) return notYetMeasured
      const { at } = latest
      const results = made.map((one, horizon) => entry(at, present.slot, one, horizon))
      return { from: new Date(at).toISOString(), results, reason: null, detail: null }
    },
    /** The typical week of the last twelve weeks, or the reason why it cannot be made. */
    typical: (): TypicalWeek => typicalWeek(counts, clock),
  }

  function entry(from: number, slot: number, made: EstimatedForecast, horizon: number): ForecastEntry {
    const minutesAhead = HORIZONS[horizon] as ForecastEntry['minutesAhead']
    const at = new Date(from + minutesAhead * MINUTE_MS).toISOString()
    return { minutesAhead, at, ...made, error: verification.error(slot, horizon) }
  }
}

/** A forecast for one horizon with its chance. */
interface EstimatedForecast extends RecordedForecast {
  readonly chanceOfTen: number
}

/** The width of an interval that holds four normally distributed outcomes in five, in standard deviations. */
const DEVIATIONS_WIDE = 2.563

const UNVERIFIED: RecordedForecast = { expected: ABSENT, low: ABSENT, high: ABSENT }

const noRecentCount = noForecast(
  'NO_RECENT_COUNT',
  `No good count was read in the last ${OLDEST_PRESENT_MS / MINUTE_MS} minutes.`,
)
const notTrusted = noForecast(
  'COUNT_NOT_TRUSTED',
  'The last count cannot be trusted, so there is no count to start from.',
)
const tooLittlePast = noForecast(
  'TOO_LITTLE_PAST',
  'The last twelve weeks hold too few days with counts at this time of day.',
)
const notYetMeasured = noForecast(
  'NOT_YET_MEASURED',
  'Too few forecasts at this time of day have been compared with their outcome to know their error.',
)
