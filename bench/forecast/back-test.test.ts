import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localClock } from '../../src/parking/local-clock.ts'
import { backTest } from './back-test.ts'
import { trustAll } from './judged-readings.ts'
import { describeAll } from './report.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const clock = localClock('Europe/Jersey')

/** Readings of a car park every five minutes. By the wall clock, it loses a space every five minutes all day. */
function readingsOf(from: string, to: string) {
  const readings = []
  for (let at = Date.parse(from); at < Date.parse(to); at += 5 * MINUTE) {
    const spaces = 288 - Math.floor((clock.wallTime(at) % DAY) / (5 * MINUTE))
    readings.push({ code: 'A', name: 'A', at, spaces, open: true, status: null })
  }
  return trustAll(readings).get('A') ?? []
}

const day = (date: string) => Date.parse(date) / DAY

test('forecasts are made from Monday to Saturday, 7 to 19 h by the clock, on the days asked for', () => {
  const readings = readingsOf('2025-09-01T00:00:00Z', '2025-10-28T00:00:00Z')
  const firstDay = day('2025-10-20')
  const scores = backTest(readings, { clock, firstDay, lastDay: day('2025-10-27'), everyMs: 15 * MINUTE })
  // Two Mondays and five other days, 48 moments each. The Sunday in between, with a change of clock, does not count.
  for (const [horizon, score] of scores.entries()) {
    const { moments, given, now, plain, ours, within, withheld } = score
    assert.equal(moments, 7 * 48)
    assert.equal(given, moments)
    assert.deepEqual([now / moments, plain, ours, within], [[3, 6, 12, 24][horizon], 0, 0, moments])
    assert.equal(withheld.size, 0)
  }
  assert.match(describeAll(new Map([['A', scores]])), /\| 60 +\| +12\.0 \| +0\.0 \| +0\.0 \|/)
})

test('moments without an outcome do not count, and those without a forecast are told', () => {
  const all = readingsOf('2025-09-01T00:00:00Z', '2025-09-16T00:00:00Z')
  // No readings after noon: from ten o'clock on, there is no outcome two hours ahead.
  const mornings = all.filter(({ at }) => new Date(clock.wallTime(at)).getUTCHours() < 12)
  const period = { clock, firstDay: day('2025-09-08'), lastDay: day('2025-09-10'), everyMs: 15 * MINUTE }
  const score = backTest(mornings, period)[3]
  assert.equal(score?.moments, 3 * 4 * 3)
  assert.deepEqual([...(score?.withheld ?? [])], [['TOO_LITTLE_PAST', score?.moments]])
  assert.equal(score?.oursOrPlain, score?.plain)
})
