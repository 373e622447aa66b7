import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { temporaryStore } from '../../../../test/support/service.ts'
import { rowOf, sheetOf, workbookOf } from '../../../../test/support/workbook.ts'
import { importHistory } from './import-history.ts'

const HOUR = '2025-07-01T10'
const FILE = `at,A,B\n${HOUR}:00Z,1,10\n${HOUR}:05Z,2,\n`
const LATER = `at,A,B\n${HOUR}:05Z,3,20\n${HOUR}:10Z,4,40\n`

async function importer(t: TestContext) {
  const store = (await temporaryStore(t)).readings
  const kept = async () =>
    (await store.readings({ from: 0, to: Date.now() })).map(
      ({ at, code, spaces }) => `${new Date(at).toISOString().slice(14, 16)} ${code} ${spaces}`,
    )
  const run = (text: string, options: Partial<Parameters<typeof importHistory>[0]> = {}) =>
    importHistory({
      store,
      source: 'history.csv',
      input: Readable.from([Buffer.from(text)]),
      timeZone: 'Europe/Jersey',
      ...options,
    })
  return { run, kept }
}

test('a reading by a formula without a stored result is rejected with its cell', async t => {
  const { run } = await importer(t)
  const row = (count: string) => `<row r="2"><c t="str"><v>${HOUR}:00Z</v></c><c>${count}</c></row>`
  const workbook = workbookOf(sheetOf(rowOf('at', 'A'), row('<f>3+4</f>')))
  const { outcome, rejections } = await run('', { input: Readable.from([workbook]), source: 'history.xlsx' })
  assert.equal(outcome, 'refused')
  assert.deepEqual(
    rejections.map(({ line, column, reason }) => [line, column, reason.slice(0, 44)]),
    [[2, 'A', 'cell B2 has a formula without a stored resul']],
  )
})

test('readings are added; those that are known stay as they are', async t => {
  const { run, kept } = await importer(t)
  const { durationMs, ...first } = await run(FILE)
  assert.ok(durationMs >= 0)
  assert.deepEqual(first, {
    dataset: 'live-spaces',
    source: 'history.csv',
    outcome: 'added',
    reason: undefined,
    read: 3,
    accepted: 3,
    rejected: 0,
    skipped: 0,
    warned: 0,
    batch: 1,
    added: 3,
    changed: 0,
    removed: 0,
    rejections: [],
    warnings: [],
    groups: { rejections: [], warnings: [] },
    first: `${HOUR}:00:00.000Z`,
    last: `${HOUR}:05:00.000Z`,
    carParks: [
      { code: 'A', name: 'A', readings: 2 },
      { code: 'B', name: 'B', readings: 1 },
    ],
    repeatedHour: 0,
    skippedHour: 0,
    ignoredColumns: [],
  })
  const again = await run(FILE)
  assert.deepEqual([again.outcome, again.accepted, again.added, again.batch], ['nothing new', 3, 0, null])
  const later = await run(LATER)
  assert.deepEqual([later.outcome, later.accepted, later.added], ['added', 4, 3])
  assert.deepEqual(await kept(), ['00 A 1', '00 B 10', '05 A 2', '05 B 20', '10 A 4', '10 B 40'])
})

test('a dry run reports what would be added, and adds nothing', async t => {
  const { run, kept } = await importer(t)
  await run(FILE)
  const report = await run(LATER, { dryRun: true })
  assert.deepEqual([report.outcome, report.accepted, report.added], ['dry run', 4, 3])
  assert.equal((await kept()).length, 3)
})

test('more rejected readings than the limit refuse the file, and nothing is added', async t => {
  const { run, kept } = await importer(t)
  const text = `${FILE}${HOUR}:15Z,x,3\n`
  const refused = await run(text)
  assert.deepEqual([refused.outcome, refused.read, refused.rejected, refused.added], ['refused', 5, 1, 0])
  assert.match(
    refused.reason ?? '',
    /^1 of 5 readings rejected, but the limit is 1 % \(0 readings\); correct the rows listed or raise --reject-limit$/,
  )
  assert.equal(refused.rejections[0]?.line, 4)
  assert.deepEqual(await kept(), [])
  const report = await run(text, { rejectLimit: { rows: 1 } })
  assert.deepEqual([report.outcome, report.added], ['added', 4])
})

test('readings that are left out do not count against the limit', async t => {
  const { run } = await importer(t)
  const text = 'date,A\n2025-10-26 00:59,1\n2025-10-26 01:00,2\n2025-10-26 01:30,3\n'
  const report = await run(text)
  assert.deepEqual(
    [report.outcome, report.accepted, report.skipped, report.repeatedHour, report.rejected],
    ['added', 1, 2, 2, 0],
  )
  const none = await run('date,A\n2025-10-26 01:00,2\n')
  assert.deepEqual([none.outcome, none.reason], ['refused', 'none of its readings can be used'])
})

test('a file that cannot be read is refused with the reason', async t => {
  const { run, kept } = await importer(t)
  for (const [text, reason] of [
    ['', /the source is empty/],
    ['at,A\n', /the file has no readings/],
    [`at,A\n${HOUR}:00Z,1\n"`, /a quote \("\) opens/],
  ] as const) {
    const report = await run(text)
    assert.equal(report.outcome, 'refused')
    assert.match(report.reason ?? '', reason)
  }
  const absent = await importHistory({
    store: { saveHistory: async () => assert.fail(), readings: async () => [] },
    source: '/no/such/file',
    timeZone: 'UTC',
  })
  assert.match(absent.reason ?? '', /there is no such file/)
  assert.deepEqual(await kept(), [])
})

test('errors of the store are thrown', async () => {
  const saveHistory = async () => {
    throw new Error('the disk is full')
  }
  await assert.rejects(
    importHistory({
      store: { saveHistory, readings: async () => [] },
      source: '-',
      input: Readable.from([Buffer.from(FILE)]),
      timeZone: 'UTC',
    }),
    /the disk is full/,
  )
})

test('an aborted import adds nothing; one that is saving already completes', async t => {
  const { run, kept } = await importer(t)
  const over = { message: 'over' }
  const before = new AbortController()
  const reading = run(FILE, { signal: before.signal })
  before.abort(new Error('over'))
  await assert.rejects(reading, over)
  await assert.rejects(run(FILE, { signal: before.signal, dryRun: true }), over)
  assert.deepEqual(await kept(), [])

  const { readings } = await temporaryStore(t)
  const late = new AbortController()
  const saveHistory: typeof readings.saveHistory = (...args) => {
    late.abort(new Error('over'))
    return readings.saveHistory(...args)
  }
  const report = await run(FILE, { signal: late.signal, store: { ...readings, saveHistory } })
  assert.deepEqual([report.outcome, report.added], ['added', 3])
})

test('progress reports rows and bytes', async t => {
  const { run } = await importer(t)
  const rows = Array.from(
    { length: 2500 },
    (_, index) => `${new Date(index * 60_000).toISOString()},${index}\n`,
  )
  const told: number[][] = []
  await run(`at,A\n${rows.join('')}`, {
    onProgress: ({ rows, bytesRead, bytesTotal }) =>
      told.push([rows, Math.sign(bytesRead), bytesTotal ?? -1]),
  })
  assert.deepEqual(told, [
    [1000, 1, -1],
    [2000, 1, -1],
  ])
})
