import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localClock } from '../../src/parking/local-clock.ts'
import { average } from './average.ts'
import { brierScores, chanceByInterval, fitTerms, openMoments } from './chances.ts'

const MINUTE = 60_000

test('a Brier score is the mean squared distance of a chance from what came', () => {
  const moments = [
    { average: 0.5, interval: 1, ours: 0.8, came: true, inputs: [] },
    { average: 0.5, interval: 1, ours: 0, came: false, inputs: [] },
  ]
  const { average, interval, ours } = brierScores(moments)
  assert.deepEqual([average, interval, Math.round(ours * 1000)], [0.25, 0.5, 20])
  assert.deepEqual(openMoments(moments), moments.slice(0, 1))
})

test('fitted terms give each input the chance that came with it', () => {
  const unfitted = { average: 0, interval: 0, ours: 0 }
  const came = [true, true, true, false]
  const moments = [
    ...came.map(came => ({ ...unfitted, inputs: [1, 1], came })),
    ...came.map(came => ({ ...unfitted, inputs: [1, -1], came: !came })),
  ]
  const [constant = 1, slope = 0] = fitTerms(moments)
  assert.ok(Math.abs(constant) < 1e-6 && Math.abs(slope - Math.log(3)) < 1e-6, `${constant} ${slope}`)
})

test('an interval implies a chance: nine in ten where ten spaces are its lower end', () => {
  const rounded = (expected: number, low: number, high: number) =>
    Math.round(chanceByInterval({ expected, low, high }) * 100)
  assert.equal(rounded(29.5, 9.5, 49.5), 90)
  assert.equal(rounded(9.5, 0, 20), 50)
  assert.equal(rounded(0, 0, 0), 0)
  assert.equal(rounded(10, 10, 10), 100)
})

test('the average is over the same kind of day and half-hour of the eight weeks before', () => {
  const usual = average(localClock('Europe/Jersey'))
  const tuesdays = ['2025-09-16', '2025-09-23', '2025-09-30', '2025-10-07']
  for (const [i, day] of tuesdays.entries())
    for (const minute of [0, 15, 30])
      usual.learn(Date.parse(`${day}T08:00Z`) + minute * MINUTE, i > 0 ? 10 : 9)
  usual.learn(Date.parse('2025-10-08T08:00Z'), 0)
  const chance = (time: string, now = time) => usual.chance(Date.parse(now), Date.parse(time))
  assert.equal(chance('2025-10-14T08:29Z', '2025-10-14T07:30Z'), 0.75)
  assert.equal(chance('2025-10-15T08:00Z'), 0)
  // The first Tuesday is more than eight weeks ago. Half past nine by the clock was half past eight UTC until October.
  assert.equal(chance('2025-11-18T09:40Z'), 1)
  assert.equal(chance('2025-10-14T11:00Z'), undefined)
})
