import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CsvError, parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { type CsvLine, csvLines } from './csv-lines.ts'

async function* pieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

/** The lines of text that arrives in chunks, and the refusal, if any. */
async function split(
  text: string,
  size = text.length,
  delimiter?: ',',
): Promise<{ lines: CsvLine[]; refusal?: string }> {
  const lines: CsvLine[] = []
  try {
    for await (const some of csvLines(pieces(text, size), delimiter)) lines.push(...some)
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

const texts = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      '"',
      '"',
      '""',
      ',',
      ',',
      ',"',
      '",',
      '\n',
      '\r\n',
      '"\n',
      ' ',
      '\t',
      '\u00a0',
      ';',
    ),
  )
  .map(parts => `x${parts.join('')}`)

/** The cells that a library reads from the text, and its refusal, if any. */
function parsed(text: string): { cells: string[][]; refused?: RegExp } {
  const cells: string[][] = []
  try {
    parse(text.replaceAll('\r\n', '\n'), {
      ltrim: true,
      on_record: (record: string[]) => void cells.push(record),
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
    })
    return { cells }
  } catch (error) {
    const isOpen = (error as CsvError).code === 'CSV_QUOTE_NOT_CLOSED'
    return { cells, refused: isOpen ? /is never closed/ : /is inside a value/ }
  }
}

test('reads what a library reads, and refuses what it refuses, wherever the text is split', async () => {
  const sizes = fc.integer({ min: 1, max: 9 })
  await fc.assert(
    fc.asyncProperty(texts, sizes, async (text, size) => {
      const { lines, refusal = '' } = await split(text, size, ',')
      const { cells, refused = /^$/ } = parsed(text)
      assert.deepEqual(
        lines.map(line => line.cells),
        cells,
      )
      assert.match(refusal, refused)
    }),
    { numRuns: 1000 },
  )
})

test('a row may be long, but not without end, wherever the text is cut', async () => {
  const most = 1 << 20
  for (const length of [most, 2 * most])
    for (const size of [1 << 16, 1 << 22]) {
      const { refusal } = await split(`a\n${'x'.repeat(length)}\nb`, size)
      assert.equal(refusal !== undefined, length > most)
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
