import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { instantsOf, localClock } from './local-clock.ts'

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

const wall = (text: string) => Date.parse(`${text}Z`)
const instants = (text: string, timeZone: string) =>
  instantsOf(wall(text), localClock(timeZone)).map(instant => new Date(instant).toISOString())

test('a local time is one instant, none in the spring gap, two in the repeated hour', () => {
  assert.deepEqual(instants('2025-01-15T12:00', 'Europe/Jersey'), ['2025-01-15T12:00:00.000Z'])
  assert.deepEqual(instants('2025-07-15T12:00', 'Europe/Jersey'), ['2025-07-15T11:00:00.000Z'])
  assert.deepEqual(instants('2025-03-30T00:59:59', 'Europe/Jersey'), ['2025-03-30T00:59:59.000Z'])
  assert.deepEqual(instants('2025-03-30T01:00', 'Europe/Jersey'), [])
  assert.deepEqual(instants('2025-03-30T01:59:59', 'Europe/Jersey'), [])
  assert.deepEqual(instants('2025-03-30T02:00', 'Europe/Jersey'), ['2025-03-30T01:00:00.000Z'])
  assert.deepEqual(instants('2024-10-27T01:30', 'Europe/Jersey'), [
    '2024-10-27T00:30:00.000Z',
    '2024-10-27T01:30:00.000Z',
  ])
  assert.deepEqual(instants('2024-10-27T02:00', 'Europe/Jersey'), ['2024-10-27T02:00:00.000Z'])
  // Half an hour there.
  assert.equal(instants('2024-04-07T01:45', 'Australia/Lord_Howe').length, 2)
  assert.equal(instants('2024-04-07T01:15', 'Australia/Lord_Howe').length, 1)
  assert.deepEqual(instants('2015-10-04T02:10', 'Australia/Lord_Howe'), [])
  assert.deepEqual(instants('2015-10-04T02:40', 'Australia/Lord_Howe'), ['2015-10-03T15:40:00.000Z'])
})

test('the instants are those that a calendar of time zones gives', () => {
  const zones = ['Europe/Jersey', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC']
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.date({ min: new Date('2015-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
      (zone, date) => {
        const local = Temporal.PlainDateTime.from(date.toISOString().slice(0, -1))
        const expected = (['earlier', 'later'] as const)
          .map(disambiguation => local.toZonedDateTime(zone, { disambiguation }))
          .filter(zoned => zoned.toPlainDateTime().equals(local))
          .map(zoned => zoned.epochMilliseconds)
        assert.deepEqual(instantsOf(date.getTime(), localClock(zone)), [...new Set(expected)])
      },
    ),
  )
})
