import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotAllowed } from '../../values/values.ts'
import { nextState } from './next-state.ts'
import { parseSchedule } from './schedule.ts'

const at = (time: string) => Date.parse(`2026-${time}Z`)
const next = (text: string, after: string) => new Date(parseSchedule(text).next(at(after))).toISOString()

test('intervals in minutes, hours and days', () => {
  assert.equal(next('1m', '01-01T00:00'), '2026-01-01T00:01:00.000Z')
  assert.equal(next('6h', '01-01T00:00'), '2026-01-01T06:00:00.000Z')
  assert.equal(next('1d', '01-01T00:00'), '2026-01-02T00:00:00.000Z')
})

test('cron expressions are of UTC, also where clocks change', () => {
  assert.equal(next('15 3 * * *', '01-01T03:15'), '2026-01-02T03:15:00.000Z')
  assert.equal(next('*/10 * * * *', '01-01T03:15'), '2026-01-01T03:20:00.000Z')
  assert.equal(next('30 1 * * *', '03-29T00:00'), '2026-03-29T01:30:00.000Z')
  assert.equal(next('0 9 * * 1', '01-01T00:00'), '2026-01-05T09:00:00.000Z')
})

test('anything else is not allowed', () => {
  const wrong = [
    '30s',
    '0m',
    '0h',
    '999999d',
    '6',
    '6 hours',
    '',
    '* * * * * *',
    '61 * * * *',
    '0 0 30 2 *',
    'daily',
  ]
  for (const text of wrong) assert.throws(() => parseSchedule(text), NotAllowed, text)
})

const source = { dataset: 'toilets', configuration: 'a', schedule: parseSchedule('6h') }

/** Minutes until the next attempt after this number of failures. */
function minutesAfter(failures: number, more: object = {}, random = 0): number {
  const now = new Date(at('01-01T00:00'))
  const attempt = { outcome: 'failed' as const, reason: 'away', ...more }
  const before = { failures: failures - 1 } as never
  const { dueAt } = nextState({ ...source, before, attempt, now, random: () => random })
  return (Date.parse(dueAt) - now.getTime()) / 60_000
}

test('failures are tried again after pauses that double, up to an hour, with jitter', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7, 8, 99].map(count => minutesAfter(count)),
    [1, 2, 4, 8, 16, 32, 60, 60, 60],
  )
  assert.equal(minutesAfter(8, {}, 0.5), 62.5)
})

test('Retry-After is waited for, up to a day', () => {
  assert.equal(minutesAfter(1, { retryAfterMs: 3 * 3_600_000 }), 180)
  assert.equal(minutesAfter(1, { retryAfterMs: 1 }), 1)
  assert.equal(minutesAfter(1, { retryAfterMs: 99 * 86_400_000 }), 24 * 60)
})

test('a refused source waits for its regular time', () => {
  const report = { outcome: 'refused', groups: { rejections: [], warnings: [] }, ignoredColumns: [] }
  assert.equal(minutesAfter(3, { outcome: 'refused', report }), 360)
})
