import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HORIZONS } from '../../src/parking/forecast/parameters.ts'
import { localClock } from '../../src/parking/local-clock.ts'
import { realDataMissing, realPath } from '../../test/support/real-data.ts'
import { readHistoryFile } from '../history-input.ts'
import { backTest } from './back-test.ts'
import { brierScores } from './chances.ts'
import { trustAll } from './judged-readings.ts'
import { sumScores } from './scores.ts'

const DAY = 86_400_000

test('on the real counts it is clearly better than the plain profile, and its interval holds', {
  skip: realDataMissing,
}, async () => {
  const timeZone = 'Europe/Jersey'
  const file = realPath('parking-history/parking-spaces-2024-09_2025-10.csv')
  const readings = await readHistoryFile(file, timeZone)
  const period = {
    clock: localClock(timeZone),
    firstDay: Date.parse('2025-08-26') / DAY,
    lastDay: Date.parse('2025-10-31') / DAY,
    everyMs: 30 * 60_000,
  }
  const carParks = trustAll(readings.filter(({ at }) => at >= Date.parse('2025-05-01')))
  const scores = [...carParks.values()].map(of => backTest(of, period))
  for (const [horizon, minutes] of HORIZONS.entries()) {
    const { ours, givenPlain, within, given, moments, chances } = sumScores(
      scores.flatMap(of => of[horizon] ?? []),
    )
    assert.ok(ours < givenPlain * (minutes < 60 ? 0.95 : 0.9), `${minutes} min: ${ours / givenPlain}`)
    assert.ok(within > given * 0.75 && within < given * 0.85, `${minutes} min: ${within / given} within`)
    assert.ok(given > moments * 0.9, `${minutes} min: ${given} of ${moments}`)
    const chance = brierScores(chances)
    assert.ok(chance.ours < 0.95 * chance.interval, `${minutes} min: ${chance.ours / chance.interval}`)
    assert.ok(chance.ours < 0.7 * chance.average, `${minutes} min: ${chance.ours / chance.average}`)
  }
})
