import { HORIZONS } from '../../src/parking/forecast/parameters.ts'
import { markdownTable } from '../report/table.ts'
import { brierScores, fitTerms, mean, openMoments } from './chances.ts'
import type { CarParkScores } from './report.ts'
import type { ChanceMoment } from './scores.ts'

/** Describes the Brier scores for each time ahead, over all car parks. */
export function describeChances(scores: CarParkScores): string {
  const rows = HORIZONS.flatMap((minutes, horizon) => {
    const moments = over(scores, horizon)
    return [row(String(minutes), moments), row(`${minutes}, chance from 5 to 95 %`, openMoments(moments))]
  })
  return markdownTable(['minutes ahead', ...SCORES], rows)
}

/** Describes the Brier scores of each car park, an hour ahead. */
export function describeChancesOfEach(scores: CarParkScores): string {
  const rows = [...scores].flatMap(([name, byHorizon]) => {
    const moments = byHorizon[AN_HOUR]?.chances ?? []
    return [row(name, moments), row(`${name}, chance from 5 to 95 %`, openMoments(moments))]
  })
  return markdownTable(['car park', ...SCORES], rows)
}

/** Describes how often there were enough spaces, by the chance an hour before: over all car parks, and for each. */
export function describeReliability(scores: CarParkScores): string {
  const header = ['chance', 'moments', 'mean chance', 'came', ...scores.keys()]
  const rows = BOUNDS.slice(0, -1).map((from, i) => {
    const to = BOUNDS[i + 1] as number
    const within = (moments: readonly ChanceMoment[]) =>
      moments.filter(({ ours }) => ours >= from && (ours < to || to === 1))
    const all = within(over(scores, AN_HOUR))
    return [
      `${Math.round(from * 100)} to ${Math.round(to * 100)} %`,
      String(all.length),
      percent(mean(all.map(({ ours }) => ours)), all.length),
      percent(came(all), all.length),
      ...[...scores.values()].map(byHorizon => {
        const its = within(byHorizon[AN_HOUR]?.chances ?? [])
        return its.length === 0 ? '-' : `${percent(came(its), its.length)} (${its.length})`
      }),
    ]
  })
  return markdownTable(header, rows)
}

/** Describes the terms of the chance that would fit these moments. */
export function describeTerms(scores: CarParkScores): string {
  const fitted = HORIZONS.map((minutes, horizon) => {
    const terms = fitTerms(over(scores, horizon)).map(term => term.toFixed(2))
    return `${minutes} min ${terms.join(', ')}`
  })
  return `Terms fitted to these moments: ${fitted.join('; ')}.`
}

const AN_HOUR = HORIZONS.indexOf(60)
const BOUNDS = [0, 0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95, 1]
const SCORES = ['moments', 'average', 'interval', 'ours', 'against average', 'against interval']

function row(name: string, moments: readonly ChanceMoment[]): string[] {
  const { average, interval, ours } = brierScores(moments)
  const scores = [average, interval, ours].map(score => (moments.length === 0 ? '-' : score.toFixed(4)))
  return [name, String(moments.length), ...scores, ratio(ours, average), ratio(ours, interval)]
}

/** A ratio of scores that are nearly none says nothing. */
const ratio = (ours: number, theirs: number) =>
  theirs >= 0.001 ? `${((ours / theirs - 1) * 100).toFixed(1)} %` : '-'
const over = (scores: CarParkScores, horizon: number) =>
  [...scores.values()].flatMap(byHorizon => byHorizon[horizon]?.chances ?? [])
const came = (moments: readonly ChanceMoment[]) => mean(moments.map(moment => Number(moment.came)))
const percent = (share: number, count: number) => (count === 0 ? '-' : `${Math.round(share * 100)} %`)
