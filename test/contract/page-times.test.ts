import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Site } from '../../src/interfaces/web/explorer.ts'
import { whyNoNumber } from '../../web/src/parking/count-words.ts'
import { setSite } from '../../web/src/site.ts'
import {
  calendarDate,
  clockTime,
  dateOf,
  dayAndTime,
  isoDate,
  timeBeside,
} from '../../web/src/words/island-time.ts'
import { ageInWords, dayInWords, timeInWords } from '../../web/src/words/relative-time.ts'

setSite({ baseUrl: '', island: { timeZone: 'Europe/Jersey' } } as Site)

test('pages write times by the clock of the island, in summer and in winter', () => {
  assert.equal(clockTime('2026-07-01T23:05:00Z'), '00:05')
  assert.equal(dateOf('2026-07-01T23:05:00Z'), '2 July 2026')
  assert.equal(isoDate('2026-07-01T23:05:00Z'), '2026-07-02')
  assert.equal(dayAndTime('2026-11-16T09:00:00Z'), 'Monday 16 November at 09:00')
  assert.equal(calendarDate('2026-07-01T00:00:00Z'), '1 July 2026')
  assert.equal(timeBeside('2026-11-16T09:00:00Z', '2026-11-16T23:00:00Z'), '09:00')
  assert.equal(timeBeside('2026-11-16T09:00:00Z', '2026-11-17T00:00:00Z'), 'Monday 16 November at 09:00')
})

test('a day is named from today, by the calendar', () => {
  const day = (time: string, now: string) => dayInWords(time, Date.parse(now))
  assert.equal(day('2026-11-16T00:01:00Z', '2026-11-16T23:59:00Z'), 'today')
  assert.equal(day('2026-11-15T00:01:00Z', '2026-11-16T23:59:00Z'), 'yesterday')
  assert.equal(day('2026-11-17T23:00:00Z', '2026-11-16T00:01:00Z'), 'tomorrow')
  assert.equal(day('2026-11-14T12:00:00Z', '2026-11-16T12:00:00Z'), 'Saturday 14 November')
  assert.equal(day('2025-11-16T12:00:00Z', '2026-11-16T12:00:00Z'), 'Sunday 16 November 2025')
  assert.equal(day('2025-12-31T12:00:00Z', '2026-01-01T12:00:00Z'), 'yesterday')
  // 29 March 2026 has 23 hours: a day earlier by the clock is another day.
  assert.equal(day('2026-03-29T12:00:00Z', '2026-03-29T23:10:00Z'), 'yesterday')
  assert.equal(day('2026-03-28T23:30:00Z', '2026-03-29T23:10:00Z'), 'Saturday 28 March')
  assert.equal(timeInWords('2026-07-01T07:10:00Z', Date.parse('2026-07-01T12:00:00Z')), 'today at 08:10')
})

test('an age is in its largest whole unit', () => {
  assert.deepEqual([-5, 59, 60, 3599, 3600, 90_000, 200_000].map(ageInWords), [
    'just now',
    'just now',
    '1 minute ago',
    '59 minutes ago',
    '1 hour ago',
    '1 day ago',
    '2 days ago',
  ])
})

test('a stuck counter that moved lately is not said to have stood still', () => {
  const at = '2026-11-16T12:00:00Z'
  const why = (changedAt: string | null) =>
    whyNoNumber({ spaces: 5, quality: 'frozen', observedAt: at, changedAt, trend: null }, at)
  assert.match(String(why('2026-11-16T08:10:00Z')), /^The counter has not moved since 08:10 and may be stuck/)
  for (const lately of ['2026-11-16T11:59:00Z', null])
    assert.match(String(why(lately)), /^The counter hardly moves and may be stuck/)
})
