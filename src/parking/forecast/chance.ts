import { CHANCE_TERMS, ENOUGH_SPACES } from './parameters.ts'

/** A larger distance, in standard deviations, counts as this one: so far out there are no outcomes to fit. */
const FARTHEST = 6
/** Half a space: counts are whole numbers. */
const HALF = 0.5
/** Similar days are few, so even all of them alike leave a doubt. */
const DOUBT = 0.01

/** The forecast for a horizon, from which the chance is estimated. */
export interface Outlook {
  /** The expected spaces. */
  readonly expected: number
  /** The standard deviation of the spaces from those. */
  readonly deviation: number
  /** The share of similar days with enough spaces at that time. */
  readonly enough: number
}

/** The inputs of the log-odds, which {@link CHANCE_TERMS} weigh: 1, the distance in standard deviations, the log-odds on similar days. */
export function chanceInputs({ expected, deviation, enough }: Outlook): readonly [number, number, number] {
  const distance = (expected - (ENOUGH_SPACES - HALF)) / Math.max(deviation, HALF)
  const share = DOUBT + (1 - 2 * DOUBT) * enough
  return [1, Math.min(Math.max(distance, -FARTHEST), FARTHEST), Math.log(share / (1 - share))]
}

/**
 * Estimates the chance of at least {@link ENOUGH_SPACES} spaces, from 0 to 1 in hundredths. It never falls where the expected
 * spaces or the share of similar days rise.
 */
export function chanceOfTen(horizon: number, outlook: Outlook): number {
  const terms = CHANCE_TERMS[horizon] as (typeof CHANCE_TERMS)[number]
  const logOdds = chanceInputs(outlook).reduce((sum, input, i) => sum + input * (terms[i] as number), 0)
  return Math.round(100 / (1 + Math.exp(-logOdds))) / 100
}
