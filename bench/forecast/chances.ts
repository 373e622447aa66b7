import { ENOUGH_SPACES } from '../../src/parking/forecast/parameters.ts'
import type { ChanceMoment } from './scores.ts'

/** The mean squared error of each of the three chances: the Brier score. */
export interface BrierScores {
  readonly average: number
  readonly interval: number
  readonly ours: number
}

/** Computes the Brier scores of some moments. */
export function brierScores(moments: readonly ChanceMoment[]): BrierScores {
  const score = (chance: (moment: ChanceMoment) => number) =>
    mean(moments.map(moment => (chance(moment) - Number(moment.came)) ** 2))
  return {
    average: score(({ average }) => average),
    interval: score(({ interval }) => interval),
    ours: score(({ ours }) => ours),
  }
}

/** The moments with an open outcome: our chance is from 5 to 95 %. */
export const openMoments = (moments: readonly ChanceMoment[]) =>
  moments.filter(({ ours }) => ours >= 0.05 && ours <= 0.95)

/** The chance of enough spaces by an interval of four in five round an expectation, as a normal distribution. */
export function chanceByInterval(forecast: { expected: number; low: number; high: number }): number {
  const { expected, low, high } = forecast
  const distance = expected - (ENOUGH_SPACES - 0.5)
  return normalDistribution(distance / Math.max((high - low) / 2.563, 1e-9))
}

/** The share of a normal distribution below a number of standard deviations (Abramowitz and Stegun 26.2.17). */
function normalDistribution(deviations: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(deviations))
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  const beyond = (Math.exp((-deviations * deviations) / 2) / Math.sqrt(2 * Math.PI)) * series
  return deviations > 0 ? 1 - beyond : beyond
}

/** Fits the terms of our chance to what came, by logistic regression. */
export function fitTerms(moments: readonly ChanceMoment[]): number[] {
  const terms = (moments[0]?.inputs ?? []).map(() => 0)
  // Newton's method, one term after another: slow, but the terms are few.
  for (let round = 0; round < ROUNDS; round++)
    for (const i of terms.keys()) {
      let slope = 0
      let curvature = 0
      for (const { inputs, came } of moments) {
        const logOdds = inputs.reduce((sum, input, j) => sum + input * (terms[j] as number), 0)
        const chance = 1 / (1 + Math.exp(-logOdds))
        const input = inputs[i] as number
        slope += input * (Number(came) - chance)
        curvature += input * input * chance * (1 - chance)
      }
      terms[i] = (terms[i] as number) + slope / curvature
    }
  return terms
}

const ROUNDS = 100

/** The mean; not a number without any. */
export const mean = (numbers: readonly number[]) =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length
