import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import {
  listed,
  type ReadHistory,
  readBytes,
  readText,
  rejected,
} from '../../../../test/support/history-text.ts'
import { csv } from '../../../formats/csv.ts'
import { writeRecords } from '../../../formats/format.ts'
import { Refusal } from '../../../sources/source-row.ts'
import { HistoryReading } from '../history-schema.ts'

const WIDE = `date,Sand Street,Green Street
2025-07-01 10:05:00,8,70
2025-07-01 10:00:00,7,
`
const WIDE_READINGS = [
  '2025-07-01T09:00:00Z SANDSTREET 7',
  '2025-07-01T09:05:00Z SANDSTREET 8',
  '2025-07-01T09:05:00Z GREENSTREET 70',
]

const numbersOf = ({ statistics: { read, accepted, rejected } }: ReadHistory) => [read, accepted, rejected]
const rejectedCells = ({ statistics }: ReadHistory) =>
  statistics.rejections.first.map(({ line, column, value }) => [line, column, value])

test('a column for each car park: oldest first, a blank cell is no reading', async () => {
  const history = await readText(WIDE)
  assert.deepEqual(listed(history), WIDE_READINGS)
  assert.deepEqual(numbersOf(history), [3, 3, 0])
  assert.deepEqual(
    history.carParks.map(({ code, name, readings }) => [code, name, readings]),
    [
      ['SANDSTREET', 'Sand Street', 2],
      ['GREENSTREET', 'Green Street', 1],
    ],
  )
  assert.equal(history.first, '2025-07-01T09:00:00.000Z')
  assert.equal(history.last, '2025-07-01T09:05:00.000Z')
})

test('columns in any order, oldest first, gzip, a byte order mark, semicolons and CRLF make no difference', async () => {
  const oldestFirst =
    'Sand Street;TIMESTAMP;Green Street;\r\n7;2025-07-01T10:00;;\r\n8;2025-07-01T10:05;70;\r\n'
  for (const text of [gzipSync(WIDE), `\ufeff${WIDE}`, oldestFirst])
    assert.deepEqual(listed(await readText(text)), WIDE_READINGS)
})

test('a row for each reading, with all fields', async () => {
  const history = await readText(`Carpark Code,Available Spaces,Carpark Open,Status,Timestamp
GREENST,308,True, good ,2024-02-04 23:36:16
SANDST,0,0,,2024-02-04 23:36:16
greenst,309,,good,2024-02-04 23:41:16
`)
  assert.deepEqual(
    [...history.readings].map(({ code, name, spaces, open, status }) => [code, name, spaces, open, status]),
    [
      ['GREENST', 'GREENST', 308, true, 'good'],
      ['SANDST', 'SANDST', 0, false, null],
      ['GREENST', 'GREENST', 309, null, 'good'],
    ],
  )
})

test('a row that cannot be read is rejected with its line, and the others are kept', async () => {
  const history = await readText(`code,spaces,open,timestamp
A,5,True,2025-07-01 10:00
A,x,True,2025-07-01 10:05
A,-1,True,2025-07-01 10:10
A,1.5,True,2025-07-01 10:15
A,100001,True,2025-07-01 10:20
A,,True,2025-07-01 10:25
A,5,maybe,2025-07-01 10:30
A,5,True,yesterday
,5,True,2025-07-01 10:40
A,5,True
A,100000,True,2025-07-01 10:50
`)
  assert.deepEqual(listed(history), ['2025-07-01T09:00:00Z A 5', '2025-07-01T09:50:00Z A 100000'])
  assert.deepEqual(
    rejected(history).map(text => text.replace(/ is not a time.*/, ' is not a time')),
    [
      '3 spaces spaces is "x", not a number',
      '4 spaces spaces is -1, below 0',
      '5 spaces spaces is 1.5, not a whole number',
      '6 spaces spaces is 100001, more than 100000',
      '7 spaces spaces is "", not a number',
      '8 open must be true or false (yes, no, y, n, x, 1 and 0 are understood too)',
      '9 timestamp is not a time',
      '10 code code is blank',
      '11 null has 3 columns, but the header has 4',
    ],
  )
  assert.deepEqual(numbersOf(history), [11, 2, 9])
})

test('a bad count of a wide row rejects that reading alone, a bad time all of the row', async () => {
  const history = await readText('date,A,B\n2025-07-01 10:00,5,full\nnoon,5,6\n,,\n')
  assert.deepEqual(listed(history), ['2025-07-01T09:00:00Z A 5'])
  assert.deepEqual(numbersOf(history), [4, 1, 3])
  assert.deepEqual(rejectedCells(history), [
    [2, 'B', 'full'],
    [3, 'date', 'noon'],
  ])
})

test('local times of the hour that the clocks skip are moved on by an hour, and counted', async () => {
  const history = await readText(
    'date,A,B\n2025-03-30 00:59:59,1,1\n2025-03-30 01:00,2,2\n2025-03-30 01:59,3,x\n2025-03-30 03:00,4,\n',
  )
  assert.deepEqual(listed(history), [
    '2025-03-30T00:59:59Z A 1',
    '2025-03-30T00:59:59Z B 1',
    '2025-03-30T01:00:00Z A 2',
    '2025-03-30T01:00:00Z B 2',
    '2025-03-30T01:59:00Z A 3',
    '2025-03-30T02:00:00Z A 4',
  ])
  assert.deepEqual(
    [history.statistics.skippedHour, history.statistics.repeatedHour, history.statistics.rejected],
    [3, 0, 1],
  )
})

test('local times of the hour that the clocks repeat are left out, and counted as skipped', async () => {
  const history = await readText(
    'date,A,B\n2025-10-26 00:59:59,1,1\n2025-10-26 01:00,2,\n2025-10-26 01:59,3,3\n2025-10-26 01:30Z,4,4\n2025-10-26 02:00,5,5\n',
  )
  assert.deepEqual(listed(history), [
    '2025-10-25T23:59:59Z A 1',
    '2025-10-25T23:59:59Z B 1',
    '2025-10-26T01:30:00Z A 4',
    '2025-10-26T01:30:00Z B 4',
    '2025-10-26T02:00:00Z A 5',
    '2025-10-26T02:00:00Z B 5',
  ])
  const { read, accepted, rejected, skipped, repeatedHour, skippedHour } = history.statistics
  assert.deepEqual([read, accepted, rejected, skipped], [9, 6, 0, 3])
  assert.deepEqual([repeatedHour, skippedHour], [3, 0])
})

test('the date and the time of day may have columns of their own', async () => {
  const history = await readText('Date,Time,A\n01/07/2025,10:00,5\n01/07/2025,,6\n31/06/2025,10:05:30,7\n')
  assert.deepEqual(listed(history), ['2025-07-01T09:00:00Z A 5'])
  assert.deepEqual(rejectedCells(history), [
    [3, 'Date Time', '01/07/2025 '],
    [4, 'Date Time', '31/06/2025 10:05:30'],
  ])
})

test('another zone can be given', async () => {
  const history = await readText('date,A\n2025-07-01 10:00,5\n', { timeZone: 'America/New_York' })
  assert.deepEqual(listed(history), ['2025-07-01T14:00:00Z A 5'])
})

test('the same reading again is skipped, another one of the same time rejected', async () => {
  const history = await readText(`code,spaces,open,at
A,5,True,2025-07-01T10:00Z
B,5,True,2025-07-01T10:00Z
A,5,1,2025-07-01 11:00
A,6,True,2025-07-01T10:00Z
B,5,False,2025-07-01T10:00Z
`)
  assert.deepEqual(listed(history), ['2025-07-01T10:00:00Z A 5', '2025-07-01T10:00:00Z B 5'])
  const { read, accepted, skipped } = history.statistics
  assert.deepEqual([read, accepted, skipped, history.statistics.rejected], [5, 2, 1, 2])
  assert.deepEqual(rejected(history), [
    '5 at is another reading of A at the same time than on line 2',
    '6 at is another reading of B at the same time than on line 3',
  ])
})

test('readings of the future are rejected', async () => {
  const now = new Date('2025-07-01T10:00:00Z')
  const history = await readText('at,A\n2025-07-01T10:00:30Z,5\n2025-07-01T10:02Z,6\n', { now })
  assert.deepEqual(listed(history), ['2025-07-01T10:00:30Z A 5'])
  assert.deepEqual(rejected(history), ['3 at lies in the future'])
})

test('an invalid source is refused with the reason', async () => {
  for (const [text, message] of [
    ['', /the source is empty/],
    ['\n\n', /the source is empty/],
    ['A,B\n1,2\n', /no column of times; its columns are A, B; .* --map "COLUMN=timestamp"/],
    ['date,date\n', /the column "date" twice/],
    ['at,time,A\n', /"at" and "time" both mean at; leave one out with --map "time=-"/],
    ['at,timestamp,A\n', /"at" and "timestamp" both mean at; leave one out with --map "timestamp=-"/],
    ['code,at,min,max\n', /no column of free spaces; its columns are code, at, min, max/],
    ['at,spaces,open\n', /which car park its spaces belong to.*--map "spaces=CODE"/],
    ['date,"A\n', /a quote \("\) opens in the row that starts on line 1/],
    [gzipSync(WIDE).subarray(0, 40), /gzip file is cut off/],
  ] as const)
    await assert.rejects(readText(text), message)
})

test('signals and timers have their turn while days are sorted', async () => {
  let turns = 0
  let isRead = false
  async function* bytes() {
    const rows = Array.from({ length: 100 }, (_, day) => `${new Date(day * 86_400_000).toISOString()},1\n`)
    yield Buffer.from(`at,A\n${rows.join('')}`)
    isRead = true
  }
  const count = () => {
    if (isRead) turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await readBytes(bytes())
  clearImmediate(next)
  assert.ok(turns >= 100, `${turns} turns`)
})

test('any readings that the service exports are read back as they were', async () => {
  const code = fc.stringMatching(/^[A-Z]{1,8}$/)
  const reading = fc.record({
    code,
    at: fc.integer({ min: 0, max: Date.parse('2026-01-01') }),
    spaces: fc.integer({ min: 0, max: 100_000 }),
    open: fc.constantFrom(true, false, null),
    status: fc.constantFrom('Open', 'Open, nearly full', 'He said "full"', null),
  })
  const unique = fc.uniqueArray(reading, { minLength: 1, selector: ({ code, at }) => `${code} ${at}` })
  await fc.assert(
    fc.asyncProperty(unique, async readings => {
      const rows = readings.map(each => ({ ...each, at: new Date(each.at).toISOString() }))
      const got = [...(await readText(await writeRecords(csv, rows, HistoryReading))).readings]
      const byTime = (a: { at: number; code: string }, b: typeof a) =>
        a.at - b.at || (a.code < b.code ? -1 : 1)
      const named = readings.map(each => ({ ...each, name: each.code }))
      assert.deepEqual(got.sort(byTime), named.sort(byTime))
    }),
    { numRuns: 50 },
  )
})

test('whatever a file holds, it is refused or each of its readings is accounted for', async () => {
  const cell = fc.oneof(
    fc.constantFrom(
      '',
      '5',
      'True',
      'A',
      'B',
      '-',
      '__proto__',
      '2024-10-27 01:30',
      '10-27 01:30',
      '12-31 10:00',
    ),
    fc.string({ maxLength: 12 }),
  )
  const header = fc.shuffledSubarray([
    'at',
    'code',
    'name',
    'spaces',
    'open',
    'status',
    'A',
    'B',
    'constructor',
  ])
  const rows = fc.array(fc.array(cell, { maxLength: 9 }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(header, rows, fc.constantFrom(undefined, 2024), async (header, rows, year) => {
      const text = [header, ...rows].map(cells => cells.join(',')).join('\n')
      try {
        const { statistics, readings } = await readText(text, { year })
        assert.equal(statistics.read, statistics.accepted + statistics.rejected + statistics.skipped)
        assert.equal([...readings].length, statistics.accepted)
      } catch (error) {
        assert.ok(error instanceof Refusal, String(error))
      }
    }),
    { numRuns: 300 },
  )
})
