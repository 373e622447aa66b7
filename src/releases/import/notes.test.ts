import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { TOILETS } from '../../../test/support/island.ts'
import { publish, temporaryStore } from '../../../test/support/service.ts'
import { toilets } from '../../datasets/toilets/index.ts'
import { type ImportOptions, importDataset } from './import.ts'
import { keptReport, notedOf, notesOf } from './notes.ts'

const [PIER = assert.fail(), DUNES = assert.fail()] = TOILETS
const OTHERS = ['4', '5', '6'].map(digit => ({
  ...DUNES,
  id: DUNES.id.replace(/.$/, digit),
  name: `Dunes ${digit}`,
}))
const ALL = [PIER, ...OTHERS]

/** Imports the toilets again from these records or this CSV, and resolves to the report. */
async function reportOf(
  t: TestContext,
  content: readonly object[] | string,
  more: Partial<ImportOptions> = {},
) {
  const store = await temporaryStore(t)
  await publish(store, 'toilets', ALL)
  const input = Readable.from([typeof content === 'string' ? content : JSON.stringify(content)])
  return importDataset({ store, dataset: toilets, source: 'toilets', input, ...more })
}

test('notes name rows with line, column, value and reason, and columns that match no field', async t => {
  const csv = 'name,parish,tenur,buildDate\nA,St. Helier,FREEHOLD,old\nB,St. Ouen,,old\nC,St. Ouen,,1990\n'
  const notes = notesOf(await reportOf(t, csv))
  assert.match(notes[0] ?? '', /^rejected: line 2, 3, column "buildDate", "old": .* \(2 rows\)$/)
  assert.equal(notes.at(-1), 'columns that match no field: "tenur"')
})

test('notes of a refusal do not repeat its reason', async t => {
  const report = await reportOf(t, [])
  assert.match(report.reason ?? '', /^row-count: the source has no records/)
  assert.deepEqual(notesOf(report), [])
})

test('a person should look at places that move or are held back, unless one has accepted them', async t => {
  const moved = [{ ...PIER, latitude: 49.19 }, ...OTHERS]
  const report = await reportOf(t, moved)
  assert.equal(report.outcome, 'published')
  assert.equal(notedOf(report).needsPerson, true)
  assert.match(
    notesOf(report).join('\n'),
    /^warning: line 1, column "latitude", "49\.19, -2\.1": puts Pier 11\d\d m from where it was$/m,
  )
  assert.deepEqual(notedOf(await reportOf(t, [{ ...PIER, buildDate: 1901 }, ...OTHERS])), {
    notes: undefined,
    needsPerson: undefined,
  })
  const check = { name: 'row-count', outcome: 'accepted', findings: ['it has fewer records'] } as const
  const accepted = notedOf({ ...report, checks: [check] })
  assert.equal(accepted.needsPerson, undefined)
  assert.match(accepted.notes?.join('\n') ?? '', /^row-count, accepted: it has fewer records$/m)
  const held = {
    ...(await reportOf(t, ALL)),
    heldBack: [{ id: 'a', name: 'Pier', reason: 'lies off the island' }],
  }
  assert.deepEqual(notedOf(held), {
    notes: ['position held back: Pier, lies off the island'],
    needsPerson: true,
  })
})

test('notes are few and short, and say how many more the report has', async t => {
  const rows = Array.from({ length: 40 }, (_, n) => `Name ${n},${`Parish ${n} `.repeat(100)}`)
  const notes = notesOf(
    await reportOf(t, `name,parish,latitude\n${rows.map(row => `${row},x`).join('\n')}\n`),
  )
  assert.ok(notes.length <= 11 && notes.every(note => note.length <= 300))
  assert.match(notes.at(-1) ?? '', /^and \d+ more in the report$|\(\d+ rows\)$/)
})

test('a report is kept whole if it is small, else with the first of each list and true numbers', async t => {
  const { reason, ...small } = await reportOf(t, ALL)
  assert.equal(reason, undefined)
  assert.deepEqual(keptReport(small), small)
  const old = (n: number) => `${n} ${'…'.repeat(90)}`
  const rows = Array.from({ length: 3000 }, (_, n) => ({
    ...PIER,
    id: undefined,
    name: `${n}`,
    buildDate: old(n),
  }))
  const report = await reportOf(t, rows)
  assert.ok(JSON.stringify(report).length > 100_000)
  const kept = keptReport(report) as typeof report
  assert.ok(JSON.stringify(kept).length < 65_536)
  assert.deepEqual([kept.rejected, kept.reason], [3000, report.reason])
  assert.ok(kept.rejections.length > 0 && kept.groups.rejections.length > 0)
})
