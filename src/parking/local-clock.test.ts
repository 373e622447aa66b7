import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localClock, wallParts } from './local-clock.ts'

const jersey = localClock('Europe/Jersey')
const shown = (iso: string, clock = jersey) => new Date(clock.wallTime(Date.parse(iso))).toISOString()

test('the clock shows the zone, its summer, and both passes of the autumn hour', () => {
  assert.equal(shown('2025-01-15T12:00:00Z'), '2025-01-15T12:00:00.000Z')
  assert.equal(shown('2025-03-30T00:59:59Z'), '2025-03-30T00:59:59.000Z')
  assert.equal(shown('2025-03-30T01:00:00Z'), '2025-03-30T02:00:00.000Z')
  assert.equal(shown('2025-10-26T00:30:00Z'), '2025-10-26T01:30:00.000Z')
  assert.equal(shown('2025-10-26T01:30:00Z'), '2025-10-26T01:30:00.000Z')
  assert.equal(shown('2025-12-31T23:50:00Z', localClock('Asia/Kathmandu')), '2026-01-01T05:35:00.000Z')
})

test('a local time is split into day, weekday and quarter, before 1970 as well', () => {
  const parts = (iso: string) => wallParts(Date.parse(iso))
  assert.deepEqual(parts('1970-01-01T00:14:59Z'), { day: 0, weekday: 4, quarter: 0 })
  assert.deepEqual(parts('1969-12-28T23:59:59Z'), { day: -4, weekday: 0, quarter: 95 })
  assert.deepEqual(parts('2024-02-29T09:45:00Z').weekday, new Date('2024-02-29').getUTCDay())
})
