import { HORIZONS } from '../../src/parking/forecast/parameters.ts'
import { markdownTable } from '../report/table.ts'
import { type Score, sumScores } from './scores.ts'

/** The result of each car park by name: a score for each time ahead. */
export type CarParkScores = ReadonlyMap<string, readonly Score[]>

/** Describes the errors over all car parks, in spaces. */
export function describeAll(scores: CarParkScores): string {
  const header = [
    'minutes ahead',
    'stays as now',
    'plain profile',
    'ours',
    'against profile',
    'within 80 %',
    'width',
    'moments',
    'forecast given',
    'ours, else profile',
  ]
  const rows = HORIZONS.map((minutes, horizon) => {
    const all = over(scores, horizon)
    return [
      String(minutes),
      mean(all.givenNow, all.given),
      mean(all.givenPlain, all.given),
      mean(all.ours, all.given),
      all.given === 0 ? '-' : percent(all.ours / all.givenPlain - 1),
      all.given === 0 ? '-' : percent(all.within / all.given),
      mean(all.width, all.given),
      String(all.moments),
      all.moments === 0 ? '-' : percent(all.given / all.moments),
      `${mean(all.oursOrPlain, all.moments)} (${mean(all.now, all.moments)}, ${mean(all.plain, all.moments)})`,
    ]
  })
  return markdownTable(header, rows)
}

/** Describes the errors of each car park: as now / plain profile / ours, and how many outcomes were within the interval. */
export function describeEach(scores: CarParkScores): string {
  const header = ['car park', ...HORIZONS.map(minutes => `${minutes} min`)]
  const rows = [...scores].map(([name, byHorizon]) => [
    name,
    ...byHorizon.map(({ given, givenNow, givenPlain, ours, within }) =>
      given === 0
        ? '-'
        : `${mean(givenNow, given)} / ${mean(givenPlain, given)} / ${mean(ours, given)} (${percent(within / given)})`,
    ),
  ])
  return markdownTable(header, rows)
}

/** Describes how often and why no forecast was given. */
export function describeWithheld(scores: CarParkScores): string {
  const all = sumScores([...scores.values()].flat())
  const parts = [...all.withheld].map(([reason, count]) => `${reason} ${percent(count / all.moments)}`)
  return `Without a forecast: ${parts.length === 0 ? 'no moment' : parts.join(', ')}.`
}

const over = (scores: CarParkScores, horizon: number) =>
  sumScores([...scores.values()].flatMap(byHorizon => byHorizon[horizon] ?? []))
const mean = (sum: number, count: number) => (count === 0 ? '-' : (sum / count).toFixed(1))
const percent = (share: number) => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`
