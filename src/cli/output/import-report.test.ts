import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportReport, RowIssue } from '../../releases/import/report.ts'
import { importReportText } from './import-report.ts'

const published: ImportReport = {
  dataset: 'vehicles',
  source: 'register.csv',
  outcome: 'published',
  read: 128_894,
  accepted: 128_894,
  rejected: 0,
  skipped: 0,
  warned: 0,
  added: 12,
  changed: 3,
  removed: 0,
  durationMs: 4210,
  release: { number: 3, hash: 'abcdef0123456789'.repeat(4) },
  rejections: [],
  warnings: [],
  ignoredColumns: [],
}

test('a published release is reported by number and hash, with aligned numbers', () => {
  assert.deepEqual(importReportText(published), [
    'vehicles: published release 3 (hash abcdef012345…)',
    '',
    '  read      128,894',
    '  accepted  128,894',
    '  rejected        0',
    '  skipped         0',
    '  warned          0',
    '  added          12',
    '  changed         3',
    '  removed         0',
    '  took        4.2 s',
  ])
})

test('every other outcome says what was not done', () => {
  const first = (changes: Partial<ImportReport>) => importReportText({ ...published, ...changes })[0]
  assert.equal(
    first({ outcome: 'no new release', release: { number: 2, hash: 'a'.repeat(64) } }),
    'vehicles: no new release: release 2 holds the same records',
  )
  assert.equal(first({ outcome: 'dry run', release: null }), 'vehicles: dry run, nothing was published')
  assert.equal(
    first({ outcome: 'refused', release: null, reason: 'too few records' }),
    'vehicles: refused, nothing was changed: too few records',
  )
})

test('rejected rows are listed by place, the first twenty, and how many more there are', () => {
  const issue = (line: number): RowIssue => ({
    line,
    column: 'WEIGHT',
    value: 'heavy',
    reason: 'must be a number',
  })
  const rejections = Array.from({ length: 30 }, (_, index) => issue(index + 2))
  const text = importReportText({
    ...published,
    outcome: 'refused',
    release: null,
    rejected: 1500,
    rejections,
  })
  const from = text.indexOf('rejected rows:')
  assert.equal(text[from + 1], '  register.csv:2   WEIGHT  "heavy"  must be a number')
  assert.equal(text[from + 20], '  register.csv:21  WEIGHT  "heavy"  must be a number')
  assert.equal(text[from + 21], '  ... and 1,480 more (use --json for all)')
  assert.equal(text.length, from + 22)
})

test('an issue without column, value or line still has its place', () => {
  const warnings: RowIssue[] = [
    { line: 7, column: null, value: null, reason: 'has too many cells' },
    { line: null, column: null, value: null, reason: 'three rows repeat another' },
  ]
  const text = importReportText({ ...published, warned: 2, warnings })
  assert.match(text.at(-2) ?? '', /^ {2}register\.csv:7 +has too many cells$/)
  assert.match(text.at(-1) ?? '', /^ {2}register\.csv +three rows repeat another$/)
})

test('the content of a row cannot forge a line', () => {
  const rejections: RowIssue[] = [
    { line: 2, column: 'A\nB', value: '\u001b[31m', reason: 'must be a number' },
  ]
  const text = importReportText({ ...published, rejected: 1, rejections })
  assert.equal(text.at(-1), '  register.csv:2  A\\u{a}B  "\\u{1b}[31m"  must be a number')
})

test('columns that no field takes are named', () => {
  assert.match(
    importReportText({ ...published, ignoredColumns: ['OWNER', 'PLATE'] }).at(-1) ?? '',
    /"OWNER", "PLATE"$/,
  )
})
