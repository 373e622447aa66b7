import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listed, readText, rejected } from '../../../../../test/support/history-text.ts'

const long = (...times: readonly string[]) =>
  `code,at,spaces\n${times.map((at, index) => `A,${at},${index}\n`).join('')}`
const times = async (text: string, year = 2023) =>
  listed(await readText(text, { year })).map(line => line.split(' ')[0])

test('without a year it must be given, and is refused where the file has it', async () => {
  await assert.rejects(
    readText(long('02-04 23:36:16')),
    /have no year; give that of the earliest reading, as --year 2024/,
  )
  await assert.rejects(
    readText(long('2024-02-04 23:36:16'), { year: 2024 }),
    /have their year; leave out --year/,
  )
})

const OVER_NEW_YEAR = [
  '12-30 08:00',
  '12-31 23:59',
  '01-01 00:04',
  '02-29 12:00',
  '12-31 23:00',
  '01-01 09:00',
]
const EXPECTED = [
  '2023-12-30T08:00:00Z',
  '2023-12-31T23:59:00Z',
  '2024-01-01T00:04:00Z',
  '2024-02-29T12:00:00Z',
  '2024-12-31T23:00:00Z',
  '2025-01-01T09:00:00Z',
]

test('the year goes up over New Year, oldest or newest first', async () => {
  assert.deepEqual(await times(long(...OVER_NEW_YEAR)), EXPECTED)
  assert.deepEqual(await times(long(...OVER_NEW_YEAR.toReversed())), EXPECTED)
})

test('two readings are enough to determine the order of a file over New Year', async () => {
  const expected = ['2023-12-31T23:59:00Z', '2024-01-01T00:04:00Z']
  assert.deepEqual(await times(long('12-31 23:59', '01-01 00:04')), expected)
  assert.deepEqual(await times(long('01-01 00:04', '12-31 23:59')), expected)
})

test('a line out of order at New Year moves no other', async () => {
  const got = await times(long('12-31 23:50', '01-01 00:00', '12-31 23:55', '01-01 00:05', '01-02 00:00'))
  assert.deepEqual(got, [
    '2023-12-31T23:50:00Z',
    '2023-12-31T23:55:00Z',
    '2024-01-01T00:00:00Z',
    '2024-01-01T00:05:00Z',
    '2024-01-02T00:00:00Z',
  ])
})

test('every car park has its own New Year, one after the other or mixed', async () => {
  const rows = ['A,12-31 23:59,1', 'A,01-01 00:04,2', 'B,12-31 23:59,3', 'B,01-01 00:04,4']
  for (const order of [rows, [rows[0], rows[2], rows[1], rows[3]]]) {
    const history = await readText(`code,at,spaces\n${order.join('\n')}\n`, { year: 2023 })
    assert.deepEqual(listed(history), [
      '2023-12-31T23:59:00Z A 1',
      '2023-12-31T23:59:00Z B 3',
      '2024-01-01T00:04:00Z A 2',
      '2024-01-01T00:04:00Z B 4',
    ])
  }
})

test('a car park that first appears after New Year is in the new year', async () => {
  const text = 'at,A,B\n12-31 23:59,1,\n01-01 00:04,2,\n01-02 00:00,3,4\n'
  assert.deepEqual(listed(await readText(text, { year: 2023 })).slice(-1), ['2024-01-02T00:00:00Z B 4'])
})

test('29 February of a year without one is rejected', async () => {
  const history = await readText(long('02-28 12:00', '02-29 12:00', '03-01 12:00'), { year: 2023 })
  assert.deepEqual(rejected(history), ['3 at is not a date in its year'])
  assert.equal(history.statistics.rejections[0]?.value, '02-29 12:00:00')
  assert.equal(history.statistics.accepted, 2)
})

test('the clocks change in years that are counted up as well', async () => {
  const got = await times(long('12-31 23:00', '03-31 00:59', '03-31 01:30', '03-31 02:00', '07-01 12:00'))
  assert.deepEqual(got, [
    '2023-12-31T23:00:00Z',
    '2024-03-31T00:59:00Z',
    '2024-03-31T01:00:00Z',
    '2024-07-01T11:00:00Z',
  ])
})
