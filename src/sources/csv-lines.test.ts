import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pieces } from '../../test/support/pieces.ts'
import { type CsvLine, csvLines, delimiterOf } from './csv.ts'
import { withFirstLines } from './encodings.ts'

/** The lines of text that arrives in chunks, and the refusal, if any. */
async function split(text: string, size = text.length): Promise<{ lines: CsvLine[]; refusal?: string }> {
  const lines: CsvLine[] = []
  try {
    for await (const some of csvLines(await withFirstLines(pieces(text, size)))) lines.push(...some)
    return { lines }
  } catch (error) {
    return { lines, refusal: (error as Error).message }
  }
}

test('gives the line on which each row starts, wherever the text is split', async () => {
  for (const size of [1, 3, 1000]) {
    const { lines } = await split('a,b\n\n"1\r\n2",3\r\n\n\n4,"5\n"\n6', size)
    assert.deepEqual(
      lines.map(({ line, cells }) => [line, ...cells]),
      [
        [1, 'a', 'b'],
        [3, '1\n2', '3'],
        [7, '4', '5\n'],
        [9, '6'],
      ],
    )
  }
})

test('gives every row before an error', async () => {
  for (const size of [1, 5, 1000])
    for (const [end, refused] of [
      ['3,"4"5\n6,7\n', /is inside a value in the row that starts on line 3/],
      ['3,"4\n6,7\n', /opens in the row that starts on line 3 and is never closed/],
    ] as const) {
      const { lines, refusal } = await split(`a,b\n1,2\n${end}`, size)
      assert.deepEqual(
        lines.map(({ cells }) => cells),
        [
          ['a', 'b'],
          ['1', '2'],
        ],
      )
      assert.match(refusal ?? '', refused)
    }
})

test('a row may be long, but not without end, wherever the text is cut', async () => {
  const most = 1 << 20
  for (const length of [most, 2 * most])
    for (const size of [1 << 16, 1 << 22]) {
      const { refusal } = await split(`a\n${'x'.repeat(length)}\nb`, size)
      if (length > most) assert.match(refusal ?? '', /the row that starts on line 2 has more than/)
      else assert.equal(refusal, undefined)
    }
})

test('the time is linear in the length of the header, wherever it is split', async () => {
  const { user } = process.cpuUsage()
  for (const size of [50, 1_000_000]) {
    const { lines } = await split(`${'x'.repeat(900_000)}\n1\n`, size)
    assert.equal(lines.length, 2)
  }
  const seconds = process.cpuUsage().user / 1e6 - user / 1e6
  assert.ok(seconds < 10, `${seconds} s`)
})

test('a row has at most 1,000 columns, and the rows before it are given', async () => {
  assert.equal((await split(`a\n${','.repeat(999)}\n`)).refusal, undefined)
  const { lines, refusal } = await split(`a\nb\n${','.repeat(1000)}\nc\n`)
  assert.deepEqual(
    lines.map(({ line }) => line),
    [1, 2],
  )
  assert.equal(refusal, 'the row that starts on line 3 has 1001 columns; at most 1000 are allowed')
})

test('the most frequent of the characters that separate columns, outside quotes', () => {
  assert.equal(delimiterOf('name,parish'), ',')
  assert.equal(delimiterOf('name;latitude,longitude;parish'), ';')
  assert.equal(delimiterOf('name\tparish, place\tnotes'), '\t')
  assert.equal(delimiterOf('name|parish|notes; remarks'), '|')
  assert.equal(delimiterOf('"open: Mon|Tue|Wed","parish"'), ',')
  assert.equal(delimiterOf('name'), ',')
})

test('a header that two characters separate into as many columns is refused', () => {
  assert.throws(() => delimiterOf('name;latitude,longitude'), {
    name: 'Refusal',
    message:
      'the header has as many commas as semicolons (1 of each); say which separates the columns with --delimiter',
  })
})
