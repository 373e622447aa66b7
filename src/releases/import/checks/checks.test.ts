import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import type { StoredRecord } from '../../../query/query.ts'
import type { Importable } from '../importable.ts'
import type { BaselineContent } from './baseline.ts'
import { type Allowance, startChecks, whyRefused } from './checks.ts'
import { createFieldCounter } from './field-counts.ts'

const nullable = (type: string) => Type.Unsafe<unknown>({ type: [type, 'null'] })

const kiosks: Importable = {
  name: 'kiosks',
  record: Type.Object({
    id: Type.String(),
    name: Type.String(),
    colour: Type.String({ default: 'Not Specified' }),
    code: nullable('string'),
    owner: Type.Object({ id: nullable('string'), name: nullable('string') }),
    isOpen: Type.Boolean(),
    wares: Type.Array(Type.String()),
    latitude: nullable('number'),
    longitude: nullable('number'),
  }),
  layout: { kind: 'documents' },
  identity: { kind: 'given' },
  columnAliases: {},
  knownBy: ['name'],
  rejectLimit: { rows: 0 },
}

const NAMES = ['Harbour', 'Market Square', 'Weighbridge', 'Old Mill', 'Elizabeth Castle', 'Snow Hill']

const kiosk = (at: number, more: StoredRecord = {}): StoredRecord => ({
  ...{ id: String(at), name: `${NAMES[at % 6]} ${at < 6 ? '' : at}`.trim(), colour: 'red', code: `K${at}` },
  ...{ owner: { id: 'o', name: 'O' }, isOpen: true, wares: ['ice'], latitude: 49.2, longitude: -2.1 },
  ...more,
})
const some = (count: number, change: (at: number) => StoredRecord = () => ({})) =>
  Array.from({ length: count }, (_, at) => kiosk(at, change(at)))

function baseline(records: readonly StoredRecord[]): BaselineContent {
  const counter = createFieldCounter(kiosks.record)
  for (const record of records) counter.add(record)
  const byKey = new Map(records.map(record => [String(record.id), record]))
  return { rows: records.length, records: byKey, fields: counter.counts() }
}

async function check(
  before: readonly StoredRecord[],
  now: readonly StoredRecord[],
  allowance: Allowance = {},
) {
  const checking = startChecks(kiosks, baseline(before))
  for (const record of now) checking.add(String(record.id), record)
  const results = await checking.results(now.length, allowance)
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  return {
    losses: checking.losses(),
    reason: whyRefused(results),
    failed: Object.fromEntries(failed.map(({ name, findings }) => [name, findings])),
    accepted: results.filter(({ outcome }) => outcome === 'accepted').map(({ name }) => name),
  }
}

test('the same records pass every check', async () => {
  const { failed, reason, losses } = await check(some(10), some(10))
  assert.deepEqual([failed, reason], [{}, undefined])
  assert.ok(losses.fields.every(({ before, now }) => before === 10 && now === 10))
})

test('a fifth of the records may go, and anything may follow nothing', async () => {
  assert.deepEqual((await check(some(100), some(80))).failed, {})
  assert.deepEqual(Object.keys((await check(some(100), some(79))).failed), ['row-count'])
  assert.deepEqual((await check([], some(5))).failed, {})
  assert.deepEqual((await check([], [])).failed, { 'row-count': ['the source has no records'] })
})

test('a release of 50 records or more may not grow tenfold', async () => {
  assert.deepEqual((await check(some(50), some(499))).failed, {})
  assert.match(String((await check(some(50), some(500))).failed['row-count']), /ten times as many or more/)
  assert.deepEqual((await check(some(49), some(5000))).failed, {})
})

test('a field may lose a fifth of its values, beside those of records that are gone', async () => {
  const without = (count: number) => (at: number) => (at < count ? { code: null } : {})
  assert.deepEqual((await check(some(35), some(35, without(7)))).failed, {})
  assert.deepEqual((await check(some(35), some(35, without(8)))).failed, {
    'emptied-fields': ['code: 35 filled, now 27'],
  })
  const shorter = await check(some(100), some(60))
  assert.deepEqual(Object.keys(shorter.failed), ['row-count'])
  const few = some(10, at => (at < 9 ? { code: null } : {}))
  assert.deepEqual((await check(few, some(10, without(10)))).failed, {
    'emptied-fields': ['code: 1 filled, now 0'],
  })
})

test('defaults, empty lists, false and empty members are no values', async () => {
  const empty = { colour: 'Not Specified', owner: { id: null, name: 'O' }, isOpen: false, wares: [] }
  const { failed } = await check(
    some(10),
    some(10, () => empty),
  )
  assert.deepEqual(failed, {
    'emptied-fields': ['colour', 'owner.id', 'isOpen', 'wares'].map(name => `${name}: 10 filled, now 0`),
  })
  const { losses } = await check(
    some(10),
    some(10, () => ({ owner: null })),
  )
  assert.deepEqual(losses.fields.find(({ field }) => field === 'owner.name')?.now, 0)
})

test('more than a fifth of the ids may not be replaced; names that stay are told', async () => {
  const renewed = (count: number) => some(10, at => (at < count ? { id: `new ${at}` } : {}))
  assert.deepEqual((await check(some(10), renewed(2))).failed, {})
  const { failed, losses } = await check(some(10), renewed(3))
  assert.deepEqual(failed, {
    'replaced-ids': ['3 of 10 ids gone, 3 new; 3 of the records are there by name under new ids'],
  })
  assert.deepEqual(losses.records?.gone, { count: 3, first: ['0', '1', '2'] })
  assert.deepEqual(losses.records?.come, { count: 3, first: ['new 0', 'new 1', 'new 2'] })
})

test('an id that stands for another record fails; a corrected spelling does not', async () => {
  const named = (names: Readonly<Record<number, string>>) =>
    some(6, at => (names[at] === undefined ? {} : { name: names[at] }))
  const failing = async (names: Readonly<Record<number, string>>) =>
    (await check(some(6), named(names))).failed['renamed-records']
  for (const spelling of ['HÀRBOUR', 'Harbor', 'The Harbour', 'Harbour office, ground floor'])
    assert.equal(await failing({ 0: spelling }), undefined, spelling)
  assert.deepEqual(await failing({ 0: 'Gorey Pier' }), [
    '1 known id stands for another record: 0 was "Harbour" and is "Gorey Pier"',
  ])
  // The shift of a column by a line; near names are no excuse for the one that was another's.
  assert.deepEqual(await failing({ 3: 'Snow Hill', 5: 'Old Mill' }), [
    '2 known ids stand for other records: 3 was "Old Mill" and is "Snow Hill", which was 5, 5 was "Snow Hill" and is "Old Mill", which was 3',
  ])
  const near = [kiosk(0, { name: 'Lay-by 1' }), kiosk(1, { name: 'Lay-by 2' })]
  const swapped = [kiosk(0, { name: 'Lay-by 2' }), kiosk(1, { name: 'Lay-by 1' })]
  assert.equal((await check(near, swapped)).losses.records?.renamed.count, 2)
})

test('places that move further than 200 m are told, and fail from more than a fifth, if three or more', async () => {
  const moved = (count: number) => (at: number) => (at < count ? { latitude: 49.203 } : {})
  const two = await check(some(5), some(5, moved(2)))
  assert.deepEqual([two.failed, two.losses.records?.moved.count], [{}, 2])
  assert.deepEqual(two.losses.records?.moved.first[0], { id: '0', name: 'Harbour', metres: 334 })
  assert.deepEqual((await check(some(15), some(15, moved(3)))).failed, {})
  const { failed } = await check(some(14), some(14, moved(3)))
  assert.match(
    String(failed['moved-places']),
    /^3 of 14 places move further than 200 m: Harbour by 334 m, Market Square by 334 m,/,
  )
  const near = await check(
    some(10),
    some(10, () => ({ latitude: 49.2017 })),
  )
  assert.equal(near.losses.records?.moved.count, 0)
})

test('a place off the island that is put on it has not moved; one that leaves it has', async () => {
  const off = () => ({ latitude: 0, longitude: 0 })
  assert.deepEqual((await check(some(10, off), some(10))).failed, {})
  assert.deepEqual(Object.keys((await check(some(10), some(10, off))).failed), ['moved-places'])
})

test('failed checks are told together; an operator accepts some by name, or all', async () => {
  const bad = some(10, () => ({ code: null, wares: [], latitude: 49.25 }))
  const refused = await check(some(10), bad)
  assert.match(
    refused.reason ?? '',
    /^emptied-fields: code: 10 filled, now 0, wares: 10 filled, now 0; moved-places: 10 of 10 places .*; if that is right, use --accept emptied-fields --accept moved-places, or --force for all checks$/,
  )
  const one = await check(some(10), bad, { accept: ['moved-places', 'row-count'] })
  assert.deepEqual([Object.keys(one.failed), one.accepted], [['emptied-fields'], ['moved-places']])
  const all = await check(some(10), bad, { force: true })
  assert.deepEqual([all.reason, all.accepted], [undefined, ['emptied-fields', 'moved-places']])
})
