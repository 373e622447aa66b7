import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownTable } from './table.ts'

test('a table is Markdown with aligned columns, figures to the right', () => {
  const table = markdownTable(
    ['scenario', 'req/s'],
    [
      ['toilets', '12,345'],
      ['make=ford', '7'],
    ],
  )
  assert.equal(
    table,
    `| scenario  |  req/s |
|-----------|-------:|
| toilets   | 12,345 |
| make=ford |      7 |`,
  )
})

test('a cell that is missing is blank, and no column is too narrow for its rule', () => {
  assert.equal(markdownTable(['a', 'b'], [['x']]), '| a   |   b |\n|-----|----:|\n| x   |     |')
})
