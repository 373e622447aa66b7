import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { backTest, type Period } from '../../bench/forecast/back-test.ts'
import {
  describeChances,
  describeChancesOfEach,
  describeReliability,
} from '../../bench/forecast/chance-report.ts'
import { brierScores, fitTerms, openMoments } from '../../bench/forecast/chances.ts'
import { type CarParkReadings, judgeAll, trustAll } from '../../bench/forecast/judged-readings.ts'
import type { CarParkScores } from '../../bench/forecast/report.ts'
import { readHistoryFile } from '../../bench/history-input.ts'
import { CHANCE_TERMS, HORIZONS } from '../../src/parking/forecast/parameters.ts'
import { localClock } from '../../src/parking/local-clock.ts'
import type { HistoricReading } from '../../src/store/store.ts'
import { realDataMissing, realPath } from '../support/real-data.ts'

const DAY = 86_400_000
const MINUTE = 60_000
const ZONE = 'Europe/Jersey'

const clock = localClock(ZONE)
const periodOf = (from: string, to: string): Period => ({
  clock,
  firstDay: Date.parse(from) / DAY,
  lastDay: Date.parse(to) / DAY,
  everyMs: 15 * MINUTE,
})
/** The terms of the chance were fitted on the first half of the history. */
const FIRST_HALF = periodOf('2024-09-01', '2025-02-28')
const SECOND_HALF = periodOf('2025-03-01', '2025-10-31')

const score = (carParks: CarParkReadings, period: Period): CarParkScores =>
  new Map([...carParks].map(([name, readings]) => [name, backTest(readings, period)]))

const momentsOf = (scores: CarParkScores, minutes: (typeof HORIZONS)[number]) =>
  [...scores.values()].flatMap(byHorizon => byHorizon[HORIZONS.indexOf(minutes)]?.chances ?? [])

const readPage = (name: string) =>
  readFile(new URL(`../../docs/explanation/${name}.md`, import.meta.url), 'utf8')

/** A table as the pages have it, without padding. */
const unpadded = (table: string) =>
  table.replace(/ {2,}/g, ' ').replace(/\|-+(?=[:|])/g, found => found.slice(0, 4))

describe('the chance of ten spaces, by the history', { skip: realDataMissing }, () => {
  let readings: HistoricReading[]
  before(async () => {
    readings = await readHistoryFile(realPath('parking-history/parking-spaces-2024-09_2025-10.csv'), ZONE)
  })

  test('its terms are those of a logistic regression on the trusted readings of the first half', () => {
    const scores = score(judgeAll(readings, clock), FIRST_HALF)
    for (const [horizon, minutes] of HORIZONS.entries())
      for (const [i, term] of fitTerms(momentsOf(scores, minutes)).entries())
        assert.ok(Math.abs(term - (CHANCE_TERMS[horizon]?.[i] ?? 0)) < 0.01, `${minutes} min: ${term}`)
  })

  for (const [name, judge] of [
    ['all readings', trustAll],
    ['trusted readings', judgeAll],
  ] as const) {
    describe(`${name} of the second half`, () => {
      let scores: CarParkScores
      before(() => {
        scores = score(judge(readings, clock), SECOND_HALF)
      })

      test('an hour ahead it is better than the interval by 5 % and than the average by 30 %, also where it is open', () => {
        for (const moments of [momentsOf(scores, 60), openMoments(momentsOf(scores, 60))]) {
          const { average, interval, ours } = brierScores(moments)
          assert.ok(ours <= 0.95 * interval, `${ours} against ${interval}`)
          assert.ok(ours <= 0.7 * average, `${ours} against ${average}`)
        }
      })

      test('at no time ahead is it worse than the interval', () => {
        for (const minutes of HORIZONS) {
          const { interval, ours } = brierScores(momentsOf(scores, minutes))
          assert.ok(ours < interval, `${minutes} min: ${ours} against ${interval}`)
        }
      })

      test('its figures are those of the pages', async () => {
        const page = await readPage('chance-figures')
        for (const table of [describeChances, describeChancesOfEach, describeReliability])
          assert.ok(page.includes(unpadded(table(scores))), unpadded(table(scores)))
        const summary = await readPage('live-parking')
        const moments = momentsOf(scores, 60)
        const [all, open] = [brierScores(moments), brierScores(openMoments(moments))]
        for (const chance of ['average', 'interval', 'ours'] as const) {
          const row = `| ${all[chance].toFixed(4)} | ${open[chance].toFixed(4)} |`
          assert.ok(summary.includes(row), row)
        }
      })
    })
  }
})
