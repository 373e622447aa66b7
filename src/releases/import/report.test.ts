import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIssues } from './report.ts'

test('issues of one column and reason are one group, whatever their values', () => {
  const groups = createIssues()
  for (let line = 2; line < 40; line++)
    groups.add({ line, column: 'cc', value: `${line % 5} l`, reason: 'must be a number' })
  groups.add({ line: 40, column: 'weight', value: null, reason: 'must be a number' })
  groups.add({ line: null, column: null, value: null, reason: '3 rows repeat others' })
  assert.deepEqual(groups.groups(), [
    {
      column: 'cc',
      reason: 'must be a number',
      count: 38,
      lines: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
      values: ['2 l', '3 l', '4 l'],
    },
    { column: 'weight', reason: 'must be a number', count: 1, lines: [40], values: [] },
    { column: null, reason: '3 rows repeat others', count: 1, lines: [], values: [] },
  ])
})

test('a source whose reasons all differ has a bounded number of groups', () => {
  const groups = createIssues()
  for (let line = 0; line < 5000; line++)
    groups.add({ line, column: null, value: null, reason: `is ${line}` })
  assert.equal(groups.groups().length, 1000)
})
