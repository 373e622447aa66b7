import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAY_MS, HOUR_MS } from '../../values/time-units.ts'
import { localClock } from '../local-clock.ts'
import { bucketBounds, fillBuckets, INTERVALS } from './buckets.ts'

const jersey = localClock('Europe/Jersey')
const at = (iso: string) => Date.parse(iso)
const times = (bounds: readonly number[]) => bounds.map(bound => new Date(bound).toISOString().slice(0, 16))

test('days are the island’s: 23 hours in March, 25 in October, and New Year is one like any other', () => {
  const days = (from: string, to: string) => times(bucketBounds('1d', at(from), at(to), jersey))
  assert.deepEqual(days('2025-03-29T12:00Z', '2025-03-31T12:00Z'), [
    '2025-03-29T00:00',
    '2025-03-30T00:00',
    '2025-03-30T23:00',
    '2025-03-31T23:00',
  ])
  assert.deepEqual(days('2025-10-25T22:59Z', '2025-10-27T00:00Z'), [
    '2025-10-24T23:00',
    '2025-10-25T23:00',
    '2025-10-27T00:00',
  ])
  assert.deepEqual(days('2024-12-31T23:59Z', '2025-01-01T00:01Z'), [
    '2024-12-31T00:00',
    '2025-01-01T00:00',
    '2025-01-02T00:00',
  ])
})

test('quarters and hours are those of UTC, through the changes of the clocks as well', () => {
  const hours = times(bucketBounds('1h', at('2025-03-30T00:30Z'), at('2025-03-30T02:00:01Z'), jersey))
  assert.deepEqual(hours, ['2025-03-30T00:00', '2025-03-30T01:00', '2025-03-30T02:00', '2025-03-30T03:00'])
  const quarters = times(bucketBounds('15m', at('2025-10-26T00:59Z'), at('2025-10-26T01:15Z'), jersey))
  assert.deepEqual(quarters, ['2025-10-26T00:45', '2025-10-26T01:00', '2025-10-26T01:15'])
})

test('bounds go on without gap or overlap, hold the period, and hold no bucket besides', () => {
  const zones = [
    'Europe/Jersey',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'America/St_Johns',
    'Africa/Casablanca',
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...INTERVALS),
      fc.constantFrom(...zones),
      fc.integer({ min: at('2015-01-01'), max: at('2035-01-01') }),
      fc.integer({ min: 1, max: 10 * DAY_MS }),
      (interval, zone, from, length) => {
        const bounds = bucketBounds(interval, from, from + length, localClock(zone))
        assert.ok((bounds[0] ?? 0) <= from && (bounds[1] ?? 0) > from)
        assert.ok((bounds.at(-1) ?? 0) >= from + length && (bounds.at(-2) ?? 0) < from + length)
        for (const [place, bound] of bounds.entries()) {
          const width = bound - (bounds[place - 1] ?? Number.NaN)
          if (place > 0 && interval === '1d') assert.ok(width >= 23 * HOUR_MS && width <= 25 * HOUR_MS)
          else if (place > 0) assert.equal(width, interval === '1h' ? HOUR_MS : HOUR_MS / 4)
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('every car park has every interval; one without readings has count 0', () => {
  const hour = at('2025-03-30T09:00Z')
  const summary = (code: string, from: number, spaces: number[]) => ({
    code,
    from,
    min: Math.min(...spaces),
    max: Math.max(...spaces),
    last: spaces.at(-1) ?? 0,
    sum: spaces.reduce((a, b) => a + b, 0),
    count: spaces.length,
  })
  const summaries = [
    summary('a', hour, [3, 5, 4]),
    summary('B', hour, [7]),
    summary('A', hour + HOUR_MS, [10, 0]),
  ]
  const bounds = [hour - HOUR_MS, hour, hour + 2 * HOUR_MS]
  const buckets = fillBuckets(summaries, bounds, ['A', 'B', 'C'])
  const none = { min: null, max: null, mean: null, last: null, count: 0, sum: 0 }
  assert.deepEqual(buckets, [
    { code: 'A', from: '2025-03-30T08:00:00.000Z', ...none },
    { code: 'A', from: '2025-03-30T09:00:00.000Z', min: 0, max: 10, mean: 4.4, last: 0, count: 5, sum: 22 },
    { code: 'B', from: '2025-03-30T08:00:00.000Z', ...none },
    { code: 'B', from: '2025-03-30T09:00:00.000Z', min: 7, max: 7, mean: 7, last: 7, count: 1, sum: 7 },
    { code: 'C', from: '2025-03-30T08:00:00.000Z', ...none },
    { code: 'C', from: '2025-03-30T09:00:00.000Z', ...none },
  ])
})
