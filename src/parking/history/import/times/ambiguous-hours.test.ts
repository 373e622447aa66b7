import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listed, readText, rejected } from '../../../../../test/support/history-text.ts'
import { localClock } from '../../../local-clock.ts'

const MINUTE = 60_000
const FROM = Date.parse('2024-10-26T22:00:00Z')
const { wallTime } = localClock('Europe/Jersey')
const local = (at: number) => new Date(wallTime(at)).toISOString().replace('T', ' ').slice(0, 19)

/** Six hours of readings round the night of 27 October 2024; the counts drift apart. */
const ROWS = Array.from({ length: 72 }, (_, index) => ({
  at: FROM + index * 5 * MINUTE + ((index * 7) % 23) * 1000,
  one: 100 + index,
  two: 400 - 2 * index,
}))
type Rows = readonly (typeof ROWS)[number][]

const wide = (rows: Rows) =>
  `date,A,B\n${rows.map(({ at, one, two }) => `${local(at)},${one},${two}\n`).join('')}`
const long = (rows: Rows) =>
  `code,at,spaces\n${rows.flatMap(({ at, one, two }) => [`A,${local(at)},${one}\n`, `B,${local(at)},${two}\n`]).join('')}`
const byLocalText = (rows: Rows) => [...rows].sort((a, b) => (local(a.at) < local(b.at) ? -1 : 1))
const expected = (rows: Rows) =>
  rows
    .flatMap(({ at, one, two }) => [
      `${new Date(at).toISOString()} A ${one}`,
      `${new Date(at).toISOString()} B ${two}`,
    ])
    .map(line => line.replace('.000Z', 'Z'))

for (const [form, write] of [
  ['columns', wide],
  ['rows', long],
] as const)
  for (const [order, rows, by] of [
    ['as it came', ROWS, 'order'],
    ['as it came, newest first', ROWS.toReversed(), 'order'],
    ['sorted by its local text', byLocalText(ROWS), 'counts'],
    ['sorted by its local text, newest first', byLocalText(ROWS).reverse(), 'counts'],
  ] as const)
    test(`a file of ${form}, ${order}: the repeated hour is separated by ${by}`, async () => {
      const history = await readText(write(rows))
      assert.deepEqual(listed(history), expected(ROWS))
      assert.deepEqual(history.repeatedHours, [
        { from: '2024-10-27T00:00:07.000Z', first: 24, second: 24, by },
      ])
    })

test('a file with one car park after the other is separated by its order', async () => {
  const lines = long(ROWS).split('\n').slice(1)
  const blocks = [
    ...lines.filter(line => line.startsWith('A')),
    ...lines.filter(line => line.startsWith('B')),
  ]
  const history = await readText(`code,at,spaces\n${blocks.join('\n')}\n`)
  assert.deepEqual(listed(history), expected(ROWS))
  assert.equal(history.repeatedHours[0]?.by, 'order')
})

test('times to the minute, the same in both passes, are separated by counts', async () => {
  const rows = ROWS.map(row => ({ ...row, at: row.at - (row.at % MINUTE) }))
  const history = await readText(wide(byLocalText(rows)))
  assert.deepEqual(listed(history), expected(rows))
})

test('counts that stand still are separated by intervals, where an hour is not a whole number of them', async () => {
  for (const seconds of [410, 418, 427, 435]) {
    const rows = Array.from({ length: Math.floor(21_600 / seconds) }, (_, index) => ({
      ...{ at: FROM + 1000 + index * seconds * 1000 + ((index * 5) % 7) * 1000, one: 57, two: 300 },
    }))
    assert.deepEqual(listed(await readText(wide(byLocalText(rows)))), expected(rows), `${seconds} s`)
  }
})

test('a single pass is assigned where its counts fit', async () => {
  for (const [from, to] of [
    ['2024-10-27T00:00:00Z', '2024-10-27T01:00:00Z'],
    ['2024-10-27T01:00:00Z', '2024-10-27T02:00:00Z'],
  ] as const) {
    const rows = ROWS.filter(({ at }) => at < Date.parse(from) || at >= Date.parse(to))
    assert.deepEqual(listed(await readText(wide(rows))), expected(rows))
  }
})

test('a file that has every line twice gives every reading once', async () => {
  const sorted = byLocalText(ROWS)
  const history = await readText(wide([...sorted, ...sorted]))
  assert.deepEqual(listed(history), expected(ROWS))
  assert.equal(history.statistics.skipped, 2 * ROWS.length)
})

test('only a night with too many readings to separate is rejected', async () => {
  const rows = ['2024-10-27 00:30:00,5', '2024-10-27 02:30:00,5']
  for (let second = 0; second < 3600; second += 6)
    rows.push(`2024-10-27 01:${new Date(second * 1000).toISOString().slice(14, 19)},5`)
  const history = await readText(`date,A\n${rows.join('\n')}\n`)
  assert.deepEqual([history.statistics.accepted, history.statistics.rejected], [2, 600])
  assert.match(rejected(history)[0] ?? '', /^4 date is in the hour that occurs twice, with too many/)
})
