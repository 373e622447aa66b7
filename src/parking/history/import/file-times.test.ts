import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listed, readText, rejected } from '../../../../test/support/history-text.ts'
import { fileTimeReader } from './history-file.ts'

const now = new Date('9999-12-31T23:59:59.999Z')
const reader = (timeZone = 'Europe/Jersey') => fileTimeReader({ timeZone, now })
const read = (text: string, timeZone?: string) => {
  const { at, shown } = reader(timeZone)(text)
  return [new Date(at).toISOString(), shown]
}

test('a time with an offset is that instant, in the repeated hour as well', () => {
  assert.deepEqual(read('2025-07-01T10:00:00.000Z'), ['2025-07-01T10:00:00.000Z', 1])
  assert.deepEqual(read('2025-07-01 10:00:00z'), ['2025-07-01T10:00:00.000Z', 1])
  assert.deepEqual(read('2025-07-01T10:00+01:00'), ['2025-07-01T09:00:00.000Z', 1])
  assert.deepEqual(read('2025-07-01 10:00:30 -0530'), ['2025-07-01T15:30:30.000Z', 1])
  assert.deepEqual(read('2025-07-01T10:00:00.1239Z'), ['2025-07-01T10:00:00.123Z', 1])
  assert.deepEqual(read('2025-10-26T01:30+01:00'), ['2025-10-26T00:30:00.000Z', 1])
  assert.deepEqual(read('26/10/2025 01:30 Z'), ['2025-10-26T01:30:00.000Z', 1])
})

test('a time without an offset is local, its date by year or by day', () => {
  for (const text of ['2025-06-30 23:59', '2025-06-30T23:59:00', '30/06/2025 23:59', '2025/06/30 23:59:00.0'])
    assert.deepEqual(read(text), ['2025-06-30T22:59:00.000Z', 1], text)
  assert.deepEqual(read('01/02/2025 10:00'), ['2025-02-01T10:00:00.000Z', 1])
  assert.deepEqual(read('2025-07-01 10:00', 'America/New_York'), ['2025-07-01T14:00:00.000Z', 1])
})

test('a local time of the repeated hour is shown twice, one of the skipped hour never, and moved on', () => {
  assert.deepEqual(read('2024-10-27 00:59:59'), ['2024-10-26T23:59:59.000Z', 1])
  assert.deepEqual(read('2024-10-27 01:00'), ['2024-10-27T00:00:00.000Z', 2])
  assert.deepEqual(read('2024-10-27 02:00'), ['2024-10-27T02:00:00.000Z', 1])
  assert.deepEqual(read('2025-03-30 00:59:59'), ['2025-03-30T00:59:59.000Z', 1])
  assert.deepEqual(read('2025-03-30 01:30'), ['2025-03-30T01:30:00.000Z', 0])
  assert.deepEqual(read('2025-03-30 02:30'), ['2025-03-30T01:30:00.000Z', 1])
  // Samoa had no 30 December 2011, so an hour later is no time either.
  assert.throws(() => read('2011-12-30 12:00', 'Pacific/Apia'), /is not a time/)
})

test('what is not a time is told with the forms that are allowed', () => {
  for (const text of [
    ...['', 'now', '2025-01-01', '10:00', '1969-12-31 10:00', '2025-01-01 10:00 GMT', '٢٠٢٥-01-01 10:00'],
    ...['2025-02-29 10:00', '2025-13-01 10:00', '2025-04-31 10:00', '30/02/2025 10:00', '12/31/2025 10:00'],
    ...['2025-01-01 24:00', '2025-01-01 10:60', '2025-01-01 10:00:60', '2025-01-01T10:00+24:00'],
    ...['02-04 23:36:16Z', '1/2/2025 10:00', '01/02/25 10:00'],
  ])
    assert.throws(() => read(text), /is not a time; allowed: YYYY-MM-DD HH:MM:SS or DD\/MM\/YYYY/, text)
})

test('every instant is read back as it was written', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      date => assert.deepEqual(read(date.toISOString()), [date.toISOString(), 1]),
    ),
  )
})

const long = (...times: readonly string[]) =>
  `code,at,spaces\n${times.map((at, index) => `A,${at},${index}\n`).join('')}`
const times = async (text: string, year = 2023) =>
  listed(await readText(text, { year })).map(line => line.split(' ')[0])

test('the year of times without one must be given', async () => {
  await assert.rejects(
    readText(long('02-04 23:36:16')),
    /have no year; give that of the first, as --year 2024/,
  )
  assert.deepEqual(await times(long('2024-02-04 23:36:16')), ['2024-02-04T23:36:16Z'])
})

const OVER_NEW_YEAR = ['12-30 08:00', '12-31 23:59', '01-01 00:04', '02-29 12:00', '07-01 12:00']
const EXPECTED = [
  ...['2023-12-30T08:00:00Z', '2023-12-31T23:59:00Z'],
  ...['2024-01-01T00:04:00Z', '2024-02-29T12:00:00Z', '2024-07-01T11:00:00Z'],
]

test('the year changes over New Year, oldest or newest first', async () => {
  assert.deepEqual(await times(long(...OVER_NEW_YEAR)), EXPECTED)
  assert.deepEqual(await times(long(...OVER_NEW_YEAR.toReversed()), 2024), EXPECTED)
})

test('lines out of order at New Year, and one car park after the other, have their own year', async () => {
  assert.deepEqual(await times(long('12-31 23:50', '01-01 00:00', '12-31 23:55', '01-01 00:05')), [
    ...['2023-12-31T23:50:00Z', '2023-12-31T23:55:00Z', '2024-01-01T00:00:00Z', '2024-01-01T00:05:00Z'],
  ])
  const rows = ['A,12-31 23:59,1', 'A,01-01 00:04,2', 'B,12-31 23:59,3', 'B,01-01 00:04,4']
  assert.deepEqual(listed(await readText(`code,at,spaces\n${rows.join('\n')}\n`, { year: 2023 })), [
    '2023-12-31T23:59:00Z A 1',
    '2023-12-31T23:59:00Z B 3',
    '2024-01-01T00:04:00Z A 2',
    '2024-01-01T00:04:00Z B 4',
  ])
})

test('29 February of a year without one is rejected', async () => {
  const history = await readText(long('02-28 12:00', '02-29 12:00', '03-01 12:00'), { year: 2023 })
  assert.match(rejected(history).join(), /^3 at is not a time/)
  assert.equal(history.statistics.rejections.first[0]?.value, '02-29 12:00')
  assert.equal(history.statistics.accepted, 2)
})
