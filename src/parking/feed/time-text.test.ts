import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readFeedTime, type TimeTextContext } from './time-text.ts'

/** The resolved time of a text, ISO 8601 UTC. */
function readTimeText(text: string, context: TimeTextContext): string | undefined {
  const { at } = readFeedTime(text, context)
  return at === undefined ? undefined : new Date(at).toISOString()
}

const ZONE = 'Europe/Jersey'
const said = (words: string) => `This information was updated at ${words}`

/** Description, text, now, expected time (undefined: none), time of the previous reading. */
const TABLE: readonly [string, string, string, string | undefined, string?][] = [
  [
    'the verbatim sample, years later',
    said('03:32:48 on Tuesday 29 August'),
    '2026-01-10T00:00:00Z',
    '2023-08-29T02:32:48.000Z',
  ],
  [
    'winter time is UTC',
    said('23:36:16 on Sunday 4 February'),
    '2024-02-04T23:40:00Z',
    '2024-02-04T23:36:16.000Z',
  ],
  [
    '1 January seen on 31 December, within the skew',
    said('00:00:20 on Monday 1 January'),
    '2023-12-31T23:59:50Z',
    '2024-01-01T00:00:20.000Z',
  ],
  [
    'two minutes ahead',
    said('12:02:00 on Sunday 4 February'),
    '2024-02-04T12:00:00Z',
    '2024-02-04T12:02:00.000Z',
  ],
  [
    'a second more than two minutes ahead',
    said('12:02:01 on Sunday 4 February'),
    '2024-02-04T12:00:00Z',
    undefined,
  ],
  ['tomorrow', said('12:00:00 on Monday 5 February'), '2024-02-04T12:00:00Z', undefined],
  [
    'a date that comes later this year',
    said('12:00:00 on Friday 1 March'),
    '2024-02-04T12:00:00Z',
    '2019-03-01T12:00:00.000Z',
  ],
  ['in the spring gap 2024', said('01:30:00 on Sunday 31 March'), '2024-03-31T02:00:00Z', undefined],
  [
    'autumn 2024, first pass',
    said('01:30:00 on Sunday 27 October'),
    '2024-10-27T00:31:00Z',
    '2024-10-27T00:30:00.000Z',
    '2024-10-27T00:25:00.000Z',
  ],
  [
    'autumn 2024, second pass',
    said('01:30:00 on Sunday 27 October'),
    '2024-10-27T01:31:00Z',
    '2024-10-27T01:30:00.000Z',
    '2024-10-27T01:25:00.000Z',
  ],
  [
    'autumn 2024, seen days later',
    said('01:30:00 on Sunday 27 October'),
    '2024-10-29T12:00:00Z',
    '2024-10-27T01:30:00.000Z',
  ],
  [
    '29 February',
    said('10:00:00 on Thursday 29 February'),
    '2024-02-29T10:00:30Z',
    '2024-02-29T10:00:00.000Z',
  ],
  [
    '29 February on the weekday it had 16 years ago',
    said('10:00:00 on Friday 29 February'),
    '2024-02-28T10:00:30Z',
    '2008-02-29T10:00:00.000Z',
  ],
  [
    '29 February on the weekday that comes next',
    said('10:00:00 on Tuesday 29 February'),
    '2028-02-28T09:00:00Z',
    undefined,
  ],
  ['30 February', said('10:00:00 on Friday 30 February'), '2024-03-01T10:00:30Z', undefined],
  [
    'a wrong weekday is that weekday of another year',
    said('03:32:48 on Monday 29 August'),
    '2023-08-29T03:00:00Z',
    '2022-08-29T02:32:48.000Z',
  ],
  ['no such weekday', said('03:32:48 on Someday 29 August'), '2023-08-29T03:00:00Z', undefined],
  [
    'a year that contradicts the weekday',
    said('03:32:48 on Monday 29 August 2023'),
    '2023-08-29T03:00:00Z',
    undefined,
  ],
  ['a year', said('03:32:48 on Monday 29 August 2022.'), '2023-08-29T03:00:00Z', '2022-08-29T02:32:48.000Z'],
  ['hour 24', said('24:00:00 on Sunday 4 February'), '2024-02-05T12:00:00Z', undefined],
  ['minute 60', said('12:60:00 on Sunday 4 February'), '2024-02-05T12:00:00Z', undefined],
  ['unknown text', 'No information', '2024-02-05T12:00:00Z', undefined],
  ['nothing', '', '2024-02-05T12:00:00Z', undefined],
  [
    'half past noon with a suffix',
    said('12:30:00 pm on Sunday 4 February'),
    '2024-02-05T12:00:00Z',
    undefined,
  ],
  [
    'case, blanks, suffix, zeros, more sentence',
    '\uFEFF Note!  UPDATED AT  9:05:07  ON  sunday,\n 04th of FEBRUARY . Thanks',
    '2024-02-05T12:00:00Z',
    '2024-02-04T09:05:07.000Z',
  ],
  ['short names, no seconds', 'at 09:05 on Sun 4th Feb', '2024-02-05T12:00:00Z', '2024-02-04T09:05:00.000Z'],
  ['ISO', '2024-02-04T09:05:07Z', '2024-02-05T12:00:00Z', '2024-02-04T09:05:07.000Z'],
  [
    'ISO with offset and fraction',
    '2024-07-04T09:05:07.123456+01:00',
    '2024-07-05T12:00:00Z',
    '2024-07-04T08:05:07.123Z',
  ],
  ['ISO without offset is local', '2024-07-04T09:05:07', '2024-07-05T12:00:00Z', '2024-07-04T08:05:07.000Z'],
  ['ISO in the future', '2024-07-06T09:05:07Z', '2024-07-05T12:00:00Z', undefined],
  ['ISO that is no date', '2023-02-30T09:05:07Z', '2024-07-05T12:00:00Z', undefined],
]

for (const [what, text, now, expected, previous] of TABLE)
  test(`time text: ${what}`, () =>
    assert.equal(readTimeText(text, { now: new Date(now), timeZone: ZONE, previous }), expected))

test('time text: in the repeated hour a reading is not before the one before', () => {
  const text = said('01:10:00 on Sunday 27 October')
  const read = (now: string, previous: string) =>
    readTimeText(text, { now: new Date(now), timeZone: ZONE, previous })
  assert.equal(read('2024-10-27T01:10:20Z', '2024-10-27T00:55:00.000Z'), '2024-10-27T01:10:00.000Z')
  assert.equal(read('2024-10-27T01:09:10Z', '2024-10-27T00:55:00.000Z'), '2024-10-27T01:10:00.000Z', 'skew')
  assert.equal(read('2024-10-27T00:55:20Z', '2024-10-27T00:55:00.000Z'), '2024-10-27T00:10:00.000Z', 'older')
})

test('time text: the zone is the one configured', () => {
  const text = said('23:30:00 on Saturday 3 February')
  const read = (timeZone: string) => readTimeText(text, { now: new Date('2024-02-05T00:00:00Z'), timeZone })
  assert.equal(read('America/New_York'), '2024-02-04T04:30:00.000Z')
  assert.equal(read('Pacific/Auckland'), '2024-02-03T10:30:00.000Z')
})

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SKEW = 2 * MINUTE
const [FIRST, LAST] = [Date.UTC(2024, 0, 1), Date.UTC(2031, 0, 1) - MINUTE]
/** A source of local time independent of the code under test. */
const parts = new Intl.DateTimeFormat('en-GB', {
  ...({ timeZone: ZONE, hourCycle: 'h23', weekday: 'long', day: 'numeric', month: 'long' } as const),
  ...({ hour: '2-digit', minute: '2-digit', second: '2-digit' } as const),
})

function written(instant: number): string {
  const part = Object.fromEntries(parts.formatToParts(instant).map(({ type, value }) => [type, value]))
  return said(`${part.hour}:${part.minute}:${part.second} on ${part.weekday} ${part.day} ${part.month}`)
}

/** The instant itself, or its repetition in the DST overlap where that is past too. */
function expectedOf(instant: number, now: number): number {
  const again = instant + HOUR
  return written(again) === written(instant) && again <= now + SKEW ? again : instant
}

function assertRoundTrip(instant: number, delay: number): void {
  const now = instant + delay
  const read = readTimeText(written(instant), { now: new Date(now), timeZone: ZONE })
  assert.equal(read, new Date(expectedOf(instant, now)).toISOString())
}

test('time text: any minute of 2024 to 2030 is read back, at once or later', () => {
  const minutes = fc.integer({ min: FIRST / MINUTE, max: LAST / MINUTE }).map(minute => minute * MINUTE)
  const delays = fc.oneof(fc.integer({ min: -SKEW, max: HOUR }), fc.integer({ min: 0, max: 300 * 24 * HOUR }))
  fc.assert(fc.property(minutes, delays, assertRoundTrip), { numRuns: 4000 })
})

test('time text: every minute round the changes of clock and New Year 2024 to 2030 is read back', () => {
  const midnights = [2024, 2025, 2026, 2027, 2028, 2029, 2030].flatMap(year => [
    Date.UTC(year, 0, 1),
    lastSunday(year, 2),
    lastSunday(year, 9),
  ])
  for (const midnight of midnights)
    for (let instant = midnight - HOUR; instant < midnight + 3 * HOUR; instant += MINUTE)
      for (const delay of [0, 50 * MINUTE, 59 * MINUTE, 3 * HOUR]) assertRoundTrip(instant, delay)
})

function lastSunday(year: number, month: number): number {
  const end = new Date(Date.UTC(year, month + 1, 0))
  return end.getTime() - end.getUTCDay() * 24 * HOUR
}

test('time text: long and hostile text takes no time', () => {
  for (const text of [' '.repeat(1e5), '1'.repeat(1e5), '1:1:'.repeat(3e4), `on ${'a '.repeat(5e4)}`])
    assert.equal(readTimeText(text, { now: new Date(0), timeZone: ZONE }), undefined)
})
