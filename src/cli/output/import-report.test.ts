import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIssues, type ImportReport, type RowIssue } from '../../releases/import/report.ts'
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
  contentHash: 'abcdef0123456789'.repeat(4),
  rejections: [],
  warnings: [],
  groups: { rejections: [], warnings: [] },
  checks: [],
  losses: null,
  heldBack: [],
  corrected: [],
  ignoredColumns: [],
  recognisedColumns: [],
}

const NONE = { count: 0, first: [] }

/** The members of a report that list these issues. */
const withIssues = (kind: 'rejections' | 'warnings', issues: readonly RowIssue[]): Partial<ImportReport> => {
  const groups = createIssues()
  for (const issue of issues) groups.add(issue)
  return { groups: { ...published.groups, [kind]: groups.groups() } }
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
  const first = (changes: Partial<ImportReport>) =>
    importReportText({ ...published, release: null, ...changes })[0]
  assert.equal(
    first({ outcome: 'no new release', release: { number: 2, hash: 'a'.repeat(64) } }),
    'vehicles: no new release: release 2 holds the same records',
  )
  assert.equal(first({ outcome: 'dry run' }), 'vehicles: dry run, nothing was published')
  const refusals = [
    ['register.csv', 'too few records', 'register.csv: too few records'],
    ['register.csv', 'register.csv cannot be read', 'register.csv cannot be read'],
    ['-', 'the source is empty', 'standard input: the source is empty'],
  ] as const
  for (const [source, reason, said] of refusals)
    assert.equal(
      first({ outcome: 'refused', source, reason }),
      `vehicles: refused, nothing was changed: ${said}`,
    )
})

test('different rejections are listed by place, the first twenty, and how many more there are', () => {
  const rejections = Array.from({ length: 30 }, (_, index) => ({
    line: index + 2,
    column: 'WEIGHT',
    value: 'heavy',
    reason: `must not be ${index}`,
  }))
  const text = importReportText({
    ...published,
    outcome: 'refused',
    release: null,
    rejected: 1500,
    ...withIssues('rejections', rejections),
  })
  const from = text.indexOf('rejected rows:')
  assert.equal(text[from + 1], '  register.csv:2   WEIGHT  "heavy"  must not be 0')
  assert.equal(text[from + 20], '  register.csv:21  WEIGHT  "heavy"  must not be 19')
  assert.equal(text[from + 21], '  ... and 1,480 more (use --json for all)')
  assert.equal(text.length, from + 22)
})

test('equal rejections are one line, with their number, first lines and first values', () => {
  const rejections = Array.from({ length: 58 }, (_, index) => ({
    line: index + 2,
    column: 'WEIGHT',
    value: `${index} kg`,
    reason: 'must be a number',
  }))
  const text = importReportText({ ...published, rejected: 58, ...withIssues('rejections', rejections) })
  assert.equal(
    text.at(-1),
    '  register.csv:2  WEIGHT  "0 kg", "1 kg", "2 kg"  must be a number: 58 rows (lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …)',
  )
})

test('failed checks are listed with all that they found, and other losses once', () => {
  const text = importReportText({
    ...published,
    checks: [
      { name: 'row-count', outcome: 'passed', findings: [] },
      { name: 'emptied-fields', outcome: 'accepted', findings: ['a: 6 filled, now 0', 'b: 5 filled, now 0'] },
    ],
    losses: {
      fields: [
        { field: 'a', before: 6, now: 0 },
        { field: 'b', before: 5, now: 0 },
        { field: 'c', before: 60, now: 59 },
        { field: 'd', before: 1, now: 2 },
      ],
      records: {
        gone: { count: 9, first: ['1', '2', '3', '4', '5', '6'] },
        come: { count: 0, first: [] },
        sameNames: 0,
        areReplaced: false,
        mistaken: NONE,
        exchanged: NONE,
        placed: 60,
        movedFar: 0,
        shiftedMetres: null,
        renamed: { count: 1, first: [{ id: '8', before: 'Pond', now: 'Lake', knownAs: null }] },
        moved: { count: 1, first: [{ id: '7', name: 'Mill', metres: 350 }] },
      },
    },
  })
  assert.deepEqual(text.slice(11), [
    ...['', 'checks:'],
    '  emptied-fields  accepted  a: 6 filled, now 0',
    '                            b: 5 filled, now 0',
    ...['', 'compared with the current release:'],
    '  fields        c: 60 filled, now 59',
    '  ids gone      1, 2, 3, 4, 5 and 4 more',
    '  renamed       Pond to Lake',
    '  places moved  Mill by 350 m',
  ])
})

test('an issue without column, value or line still has its place', () => {
  const warnings: RowIssue[] = [
    { line: 7, column: null, value: null, reason: 'has too many cells' },
    { line: null, column: null, value: null, reason: 'three rows repeat another' },
  ]
  const text = importReportText({ ...published, warned: 2, ...withIssues('warnings', warnings) })
  assert.match(text.at(-2) ?? '', /^ {2}register\.csv:7 +has too many cells$/)
  assert.match(text.at(-1) ?? '', /^ {2}register\.csv +three rows repeat another$/)
})

test('the content of a row cannot forge a line', () => {
  const rejections: RowIssue[] = [
    { line: 2, column: 'A\nB', value: '\u001b[31m', reason: 'must be a number' },
  ]
  const text = importReportText({ ...published, rejected: 1, ...withIssues('rejections', rejections) })
  assert.equal(text.at(-1), '  register.csv:2  A\\u{a}B  "\\u{1b}[31m"  must be a number')
})

test('columns that no field takes are named', () => {
  assert.match(
    importReportText({ ...published, ignoredColumns: ['OWNER', 'PLATE'] }).at(-1) ?? '',
    /"OWNER", "PLATE"$/,
  )
})

test('columns that are read as fields of other names are named with them', () => {
  const recognisedColumns = [
    { column: 'LOCATION', field: 'location' },
    { column: 'Lat', field: 'latitude' },
    { column: 'geo\npoint', field: 'longitude' },
  ]
  assert.deepEqual(importReportText({ ...published, recognisedColumns }).slice(-3), [
    'columns that are read as fields of other names:',
    '  "Lat"            latitude',
    '  "geo\\u{a}point"  longitude',
  ])
})

test('positions that are held back are listed with what is wrong with them', () => {
  const heldBack = [
    { id: '7', name: 'Mill\n', reason: '0, 0: the coordinates are 0, 0; its last good position is kept' },
  ]
  assert.deepEqual(importReportText({ ...published, heldBack }).slice(11), [
    ...['', 'positions held back:'],
    '  Mill\\u{a}  0, 0: the coordinates are 0, 0; its last good position is kept',
  ])
})
