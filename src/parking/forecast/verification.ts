import type { ForecastError } from './forecast.ts'
import {
  BLOCK_HOURS,
  FEWEST_RESIDUALS,
  HORIZONS,
  MEMORY_DAYS,
  MOST_RESIDUALS,
  TAIL,
  VERIFIED_DAYS,
} from './parameters.ts'
import { ABSENT, modulo, type RingBuffer, SLOT_MINUTES, SLOTS_A_DAY, STEPS_AHEAD } from './ring-buffer.ts'

/** A forecast is recorded every half hour, here in slots. More forecasts would cost more, and are too alike to show more. */
export const RECORDED_EVERY = 6

/** The slots of a block of hours. */
export const BLOCK_SLOTS = (BLOCK_HOURS * 60) / SLOT_MINUTES

const RECORDS = MEMORY_DAYS * (SLOTS_A_DAY / RECORDED_EVERY)
const RECORDS_A_BLOCK = BLOCK_SLOTS / RECORDED_EVERY
const FIELDS = 3
/** A record holds its slot and the fields of each horizon. The slot tells it from a record of a whole period ago. */
const RECORD_LENGTH = 1 + HORIZONS.length * FIELDS

/** A forecast from one slot for one horizon; without an interval low and high are {@link ABSENT}. */
export interface RecordedForecast {
  readonly expected: number
  readonly low: number
  readonly high: number
}

/** The two quantiles of the residuals (outcome minus expectation) that bound the interval. */
type ResidualQuantiles = readonly [low: number, high: number]

/**
 * Creates the verification of the forecasts of each half hour, at first without forecasts. Outcomes are looked up when they are
 * needed, so that retracted counts drop out of every error.
 */
export function createVerification(counts: RingBuffer) {
  const records = new Int32Array(RECORDS * RECORD_LENGTH).fill(ABSENT)
  /** The index of a slot's record. */
  const place = (slot: number) => modulo(Math.floor(slot / RECORDED_EVERY), RECORDS) * RECORD_LENGTH

  /** The forecasts of a block that have an outcome, the latest first: where each starts, and the index of its fields. */
  function* outcomes(slot: number, horizon: number, days: number) {
    const step = STEPS_AHEAD[horizon] as number
    const block = Math.floor(slot / BLOCK_SLOTS) * BLOCK_SLOTS
    for (let ago = 0; ago < days; ago++)
      for (let i = RECORDS_A_BLOCK - 1; i >= 0; i--) {
        const from = block - ago * SLOTS_A_DAY + i * RECORDED_EVERY
        const record = place(from)
        const at = record + 1 + horizon * FIELDS
        if (records[record] !== from || records[at] === ABSENT) continue
        const outcome = counts.near(from + step)
        if (outcome !== ABSENT) yield { from, at, outcome }
      }
  }

  return {
    /** Records a forecast, by horizon. */
    record(slot: number, forecasts: readonly RecordedForecast[]): void {
      const fields = forecasts.flatMap(({ expected, low, high }) => [expected, low, high])
      records.set([slot, ...fields], place(slot))
    },
    /** Drops the forecasts that started from one slot to another, both included. */
    clear(from: number, to: number): void {
      const first = Math.ceil(from / RECORDED_EVERY) * RECORDED_EVERY
      for (let slot = first; slot <= to; slot += RECORDED_EVERY)
        if (records[place(slot)] === slot) records[place(slot)] = ABSENT
    },
    /** The residual quantiles of a slot's block of hours at a horizon; undefined if there are too few outcomes. */
    residualQuantiles(slot: number, horizon: number): ResidualQuantiles | undefined {
      const residuals = new Int32Array(MOST_RESIDUALS)
      let count = 0
      for (const { at, outcome } of outcomes(slot, horizon, MEMORY_DAYS - 1)) {
        residuals[count++] = outcome - (records[at] as number)
        if (count === MOST_RESIDUALS) break
      }
      if (count < FEWEST_RESIDUALS) return undefined
      const sorted = residuals.subarray(0, count).sort()
      return [quantile(sorted, TAIL), quantile(sorted, 1 - TAIL)]
    },
    /** The error of the last four weeks in a slot's block of hours; null without an outcome. */
    error(slot: number, horizon: number): ForecastError | null {
      let count = 0
      let absolute = 0
      let persistence = 0
      let within = 0
      for (const { from, at, outcome } of outcomes(slot, horizon, VERIFIED_DAYS)) {
        const start = counts.near(from)
        const low = records[at + 1] as number
        if (low === ABSENT || start === ABSENT) continue
        count++
        absolute += Math.abs(outcome - (records[at] as number))
        persistence += Math.abs(outcome - start)
        if (outcome >= low && outcome <= (records[at + 2] as number)) within++
      }
      if (count === 0) return null
      return {
        meanAbsoluteError: rounded(absolute / count),
        persistenceMeanAbsoluteError: rounded(persistence / count),
        coverage: rounded(within / count),
        count,
      }
    },
  }
}

const rounded = (value: number): number => Math.round(value * 100) / 100

/** A quantile of sorted numbers, interpolated between two of them. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)] as number
  const above = sorted[Math.ceil(place)] as number
  return below + (above - below) * (place - Math.floor(place))
}
