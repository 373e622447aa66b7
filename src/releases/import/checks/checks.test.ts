import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import type { StoredRecord } from '../../../query/query.ts'
import type { Importable } from '../importable.ts'
import { type BaselineContent, createFieldCounter } from './baseline.ts'
import { type Allowance, startChecks, whyRefused } from './checks.ts'

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
  id: String(at),
  name: `${NAMES[at % 6]} ${at < 6 ? '' : at}`.trim(),
  colour: 'red',
  code: `K${at}`,
  owner: { id: 'o', name: 'O' },
  isOpen: true,
  wares: ['ice'],
  latitude: 49.2,
  longitude: -2.1,
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
  const checking = startChecks(kiosks, baseline(before), allowance)
  const warned: (string | undefined)[] = []
  const published = now.map(given => {
    const held = checking.hold(String(given.id), given)
    warned.push(checking.add(String(given.id), held.record, held))
    return held.record
  })
  const results = await checking.results(now.length)
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  return {
    losses: checking.losses(),
    heldBack: checking.heldBack(),
    published,
    warned: warned.filter(each => each !== undefined),
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

test('a list that is short may lose half of its records, a longer one four besides a fifth', async () => {
  assert.deepEqual((await check(some(2), some(1))).failed, {})
  assert.deepEqual((await check(some(4), some(2))).failed, {})
  assert.deepEqual(Object.keys((await check(some(4), some(1))).failed), ['row-count'])
  assert.deepEqual((await check(some(10), some(6))).failed, {})
  assert.deepEqual(Object.keys((await check(some(10), some(5))).failed), ['row-count'])
})

test('a field may lose a fifth of its values on the records that stay, and four in any case', async () => {
  const without = (count: number) => (at: number) => (at < count ? { code: null } : {})
  assert.deepEqual((await check(some(35), some(35, without(7)))).failed, {})
  assert.deepEqual((await check(some(35), some(35, without(8)))).failed, {
    'emptied-fields': ['code: 35 filled, now 27'],
  })
  assert.deepEqual((await check(some(10), some(10, without(4)))).failed, {})
  assert.deepEqual((await check(some(10), some(10, without(5)))).failed, {
    'emptied-fields': ['code: 10 filled, now 5'],
  })
  // In a short list, more than half of the records must lose their values.
  assert.deepEqual((await check(some(3), some(3, without(1)))).failed, {})
  assert.deepEqual((await check(some(3), some(3, without(2)))).failed, {
    'emptied-fields': ['code: 3 filled, now 1'],
  })
})

test('a record that goes takes its values along', async () => {
  const few = (count: number) => (at: number) => (at >= count ? { code: null } : {})
  assert.deepEqual((await check(some(55, few(2)), some(55, few(2)).slice(1))).failed, {})
  // Only the ten records that go have values.
  const last = (at: number) => (at < 45 ? { code: null } : {})
  const { failed, losses } = await check(some(55, last), some(45, last))
  assert.deepEqual(failed, {})
  assert.deepEqual(
    losses.fields.filter(({ before, now }) => now < before),
    [],
  )
})

test('where ids do not last, fields are compared by their shares of all records', async () => {
  const renewed = (count: number, more = {}) => some(count, at => ({ id: `new ${at}`, ...more }))
  const { failed } = await check(some(20), renewed(18))
  assert.deepEqual(Object.keys(failed), ['replaced-ids'])
  const blank = await check(some(20), renewed(18, { code: null }))
  assert.deepEqual(blank.failed['emptied-fields'], ['code: 20 filled, now 0'])
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

test('more than a fifth of the ids may not be replaced, and four may; names that stay are told', async () => {
  const renewed = (count: number) => some(10, at => (at < count ? { id: `new ${at}` } : {}))
  assert.deepEqual((await check(some(10), renewed(4))).failed, {})
  const { failed, losses } = await check(some(10), renewed(5))
  assert.deepEqual(failed, {
    'replaced-ids': ['5 of 10 ids gone, 5 new; 5 of the records are there by name under new ids'],
  })
  assert.deepEqual(losses.records?.gone, { count: 5, first: ['0', '1', '2', '3', '4'] })
  assert.deepEqual(losses.records?.come.first, ['new 0', 'new 1', 'new 2', 'new 3', 'new 4'])
})

test('a table, whose rows have no ids, is compared by its shares alone', async () => {
  const before = baseline(some(100))
  const found = async (filled: number) => {
    const checking = startChecks(kiosks, { ...before, records: new Map() })
    const now = some(90, at => (at < filled ? {} : { code: null, latitude: 0, longitude: 0 }))
    for (const record of now) {
      const held = checking.hold('the same', record)
      checking.add('the same', held.record, held)
    }
    assert.equal(checking.losses().records, null)
    assert.deepEqual(checking.heldBack(), [])
    const results = await checking.results(90)
    return results.flatMap(({ findings }) => findings)
  }
  assert.deepEqual(await found(72), [])
  assert.deepEqual(await found(71), ['code: 100 filled, now 71'])
})

const NORTH = 49.203
/** Positions that differ from record to record. */
const spread = (at: number) => ({ latitude: 49.2 + at * 0.001, longitude: -2.1 })

/** Runs the check of renamed records on 60 records, some with changed values. */
async function renamedTo(changes: Readonly<Record<number, StoredRecord>>, more: StoredRecord = {}) {
  const before = some(60, at => ({ ...spread(at), ...more }))
  const now = before.map((record, at) => ({ ...record, ...changes[at] }))
  const { failed, losses } = await check(before, now)
  return { found: failed['renamed-records'], renamed: losses.records?.renamed.count }
}

test('a known id under a new name is normal where it stays, and stands for another record elsewhere', async () => {
  for (const name of ['HÀRBOUR', 'Harbor', 'The Harbour', 'Harbour office, ground floor'])
    assert.deepEqual(
      await renamedTo({ 0: { name, latitude: 49.25 } }),
      { found: undefined, renamed: 0 },
      name,
    )
  assert.deepEqual(await renamedTo({ 0: { name: 'Gorey Pier' } }), { found: undefined, renamed: 1 })
  const near = await renamedTo({ 0: { name: 'Gorey Pier', latitude: 49.2017 } })
  assert.equal(near.found, undefined)
  const far = await renamedTo({ 0: { name: 'Gorey Pier', latitude: 49.2045 } })
  assert.deepEqual(far.found, ['1 known id stands for another record: 0 was "Harbour" and is "Gorey Pier"'])
  const off = await renamedTo({ 0: { name: 'Gorey Pier', latitude: 0, longitude: 0 } })
  assert.equal(off.found?.length, 1)
})

test('without positions the parish decides, and without that the other fields', async () => {
  const nowhere = { latitude: null, longitude: null }
  const inParish = { ...nowhere, parish: 'St. Helier' }
  assert.equal(
    (await renamedTo({ 0: { name: 'Gorey Pier', parish: 'St Helier' } }, inParish)).found,
    undefined,
  )
  assert.equal((await renamedTo({ 0: { name: 'Gorey Pier', parish: 'Trinity' } }, inParish)).found?.length, 1)
  assert.equal((await renamedTo({ 0: { name: 'Gorey Pier', code: 'X' } }, nowhere)).found, undefined)
  const another = { name: 'Gorey Pier', code: 'X', wares: ['tea'] }
  assert.equal((await renamedTo({ 0: another }, nowhere)).found?.length, 1)
})

test('a field that only new records have is not missing', async () => {
  const dataset = { ...kiosks, essential: ['code'] }
  const before = some(10, () => ({ code: null }))
  const found = async (code: string | null) => {
    const source = () => ({ unmatched: [{ name: 'extra', fits: [] }] })
    const checking = startChecks(dataset, baseline(before), { source })
    for (const record of [...before, kiosk(10, { code })]) checking.add(String(record.id), record)
    return (await checking.results(11)).find(({ name }) => name === 'missing-field')?.outcome
  }
  assert.deepEqual([await found('K'), await found(null)], ['passed', 'failed'])
})

test('names that are exchanged fail, however near they are; a name of a record that is gone does not', async () => {
  const { found } = await renamedTo({ 3: { name: 'Snow Hill' }, 5: { name: 'Old Mill' } })
  assert.deepEqual(found, [
    '2 known ids stand for other records: 3 was "Old Mill" and is "Snow Hill", which was 5, 5 was "Snow Hill" and is "Old Mill", which was 3',
  ])
  const near = [kiosk(0, { name: 'Lay-by 1' }), kiosk(1, { name: 'Lay-by 2' })]
  const swapped = [kiosk(0, { name: 'Lay-by 2' }), kiosk(1, { name: 'Lay-by 1' })]
  assert.equal((await check(near, swapped)).losses.records?.mistaken.count, 2)
  const before = some(20, spread)
  const closed = before.slice(1).map((record, at) => (at === 0 ? { ...record, name: 'Harbour' } : record))
  assert.deepEqual((await check(before, closed)).failed, {})
})

test('more than a tenth of the ids, and more than five, may not have other names at once', async () => {
  const names = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [at, { name: `Ζ ${at} ζζζζζζζζζζζζζ` }]))
  assert.deepEqual(await renamedTo(names(6)), { found: undefined, renamed: 6 })
  const { found } = await renamedTo(names(7))
  assert.match(String(found), /^7 of 60 ids have other names: 0 was "Harbour" and is "Ζ 0 /)
  const five = await check(
    some(10, spread),
    some(10, at => ({ ...spread(at), ...names(5)[at] })),
  )
  assert.deepEqual(five.failed, {})
})

/** Runs the check of moved places on a list of `count` records, after `to` has moved some of them. */
async function moved(count: number, to: (at: number) => StoredRecord) {
  const before = some(count, spread)
  const { failed, losses, warned } = await check(
    before,
    before.map((record, at) => ({ ...record, ...to(at) })),
  )
  return { found: String(failed['moved-places'] ?? ''), losses: losses.records, warned }
}
const NOWHERE_NEAR = (at: number) => ({ latitude: 49.17 + ((at * 7) % 10) * 0.01, longitude: -2.2 })

test('a place that moves further than 200 m is warned of; more than half, and more than five, fail', async () => {
  const one = await moved(20, at => (at === 0 ? { latitude: NORTH } : {}))
  assert.deepEqual([one.found, one.losses?.moved.first], ['', [{ id: '0', name: 'Harbour', metres: 334 }]])
  assert.deepEqual(one.warned, ['puts Harbour 334 m from where it was'])
  const near = await moved(20, at => (at === 0 ? { latitude: 49.2017 } : {}))
  assert.deepEqual([near.losses?.moved.count, near.warned], [0, []])
  const aside = (most: number) => (at: number) => (at < most ? { longitude: -2.103 - at * 0.001 } : {})
  assert.equal((await moved(20, aside(10))).found, '')
  assert.match(
    (await moved(20, aside(11))).found,
    /^11 of 20 places move further than 200 m: Harbour by 218 m,/,
  )
  assert.equal((await moved(5, aside(5))).found, '')
})

test('more than a tenth, and more than five, may not move further than 2 km', async () => {
  const away = (most: number) => (at: number) => (at < most ? NOWHERE_NEAR(at) : {})
  assert.equal((await moved(60, away(6))).found, '')
  assert.match((await moved(60, away(7))).found, /^7 of 60 places move further than 2000 m$/)
  assert.equal((await moved(12, away(5))).found, '')
})

test('no two places may exchange positions, nor may all move by one vector', async () => {
  const exchanged = await moved(20, at => (at === 3 ? spread(4) : at === 4 ? spread(3) : {}))
  assert.equal(
    exchanged.found,
    '2 places are where others were: Old Mill has the position of Elizabeth Castle, Elizabeth Castle has the position of Old Mill',
  )
  const shifted = await moved(20, at => ({ latitude: spread(at).latitude + 0.0005 }))
  assert.equal(shifted.found, 'the places move by the same 56 m in one direction')
  assert.equal((await moved(20, at => ({ latitude: spread(at).latitude + 0.0002 }))).found, '')
  assert.equal((await moved(20, at => (at < 17 ? { latitude: spread(at).latitude + 0.0005 } : {}))).found, '')
})

test('two places that leave the island keep their position, a new one gets none; three fail', async () => {
  const off = { latitude: 0, longitude: 0 }
  const before = some(20, spread)
  const leaving = (count: number) => before.map((record, at) => (at < count ? { ...record, ...off } : record))
  const two = await check(before, [...leaving(1), kiosk(30, { ...off, name: 'New' })])
  assert.deepEqual(two.failed, {})
  assert.deepEqual([two.published[0]?.latitude, two.published[20]?.latitude], [49.2, null])
  assert.deepEqual(two.heldBack, [
    { id: '0', name: 'Harbour', reason: '0, 0: the coordinates are 0, 0; its last good position is kept' },
    { id: '30', name: 'New', reason: '0, 0: the coordinates are 0, 0; it is published without a position' },
  ])
  const three = await check(before, leaving(3))
  assert.match(String(three.failed['moved-places']), /^3 of 20 places leave the island: Harbour \(0, 0: the/)
  const accepted = await check(before, leaving(3), { accept: ['moved-places'] })
  assert.deepEqual([accepted.published[0]?.latitude, accepted.heldBack.length], [49.2, 3])
  const forced = await check(before, leaving(3), { force: true })
  assert.deepEqual([forced.published[0]?.latitude, forced.heldBack], [0, []])
})

test('of a long list a twentieth may be held back', async () => {
  const before = some(79, spread)
  const leaving = (count: number) =>
    before.map((record, at) => (at < count ? { ...record, latitude: 48.85, longitude: 2.35 } : record))
  assert.deepEqual((await check(before, leaving(3))).failed, {})
  assert.deepEqual(Object.keys((await check(before, leaving(4))).failed), ['moved-places'])
})

test('a place that was off the island has not left it, and may be put on it', async () => {
  const off = () => ({ latitude: 0, longitude: 0 })
  const stays = await check(some(10, off), some(10, off))
  assert.deepEqual([stays.failed, stays.heldBack, stays.published[0]?.latitude], [{}, [], 0])
  assert.deepEqual((await check(some(10, off), some(10, spread))).failed, {})
})

test('latitude and longitude that are swapped in all places are told as such', async () => {
  const swapped = some(10, at => ({ latitude: -2.1, longitude: spread(at).latitude }))
  assert.match(
    String((await check(some(10, spread), swapped)).failed['moved-places']),
    /^10 of 10 places leave the island: Harbour \(-2\.1, 49\.2: .*; latitude and longitude may be swapped\), /,
  )
})

test('failed checks are told together; an operator accepts some by name, or all', async () => {
  const bad = some(10, () => ({ code: null, wares: [], latitude: 49.25 }))
  const refused = await check(some(10), bad)
  assert.match(
    refused.reason ?? '',
    /^emptied-fields: code: 10 filled, now 0, wares: 10 filled, now 0; moved-places: the places move by the same 5560 m in one direction, 10 of 10 places .*; if that is right, use --accept emptied-fields --accept moved-places, or --force for all checks$/,
  )
  const one = await check(some(10), bad, { accept: ['moved-places', 'row-count'] })
  assert.deepEqual([Object.keys(one.failed), one.accepted], [['emptied-fields'], ['moved-places']])
  const all = await check(some(10), bad, { force: true })
  assert.deepEqual([all.reason, all.accepted], [undefined, ['emptied-fields', 'moved-places']])
})

const noted = (record: Record<string, unknown>) => {
  const notes: string[] = []
  const checking = startChecks(kiosks, baseline([]))
  checking.hold('1', record, (field, _value, reason) => notes.push(`${field}: ${reason}`))
  return notes
}

test('places on the island and its reefs, and those without coordinates, are no matter', () => {
  for (const [latitude, longitude] of [
    [49.17793188, -2.10985971],
    [48.97, -2.13],
    [49.29, -1.93],
    [null, null],
    [undefined, undefined],
  ])
    assert.deepEqual(noted({ latitude, longitude }), [])
})

test('implausible coordinates get a warning with the likely cause', () => {
  assert.deepEqual(noted({ latitude: 0, longitude: 0 }), ['latitude: the coordinates are 0, 0'])
  assert.deepEqual(noted({ latitude: -2.1, longitude: 49.2 }), [
    'latitude: lies off the island; latitude and longitude may be swapped',
  ])
  assert.deepEqual(noted({ latitude: 49.2, longitude: 2.1 }), [
    'longitude: lies off the island; a minus sign may be missing',
  ])
  assert.deepEqual(noted({ latitude: 49.45, longitude: -2.55 }), ['latitude: lies off the island'])
  assert.deepEqual(noted({ latitude: 49.2, longitude: null }), [
    'longitude: is missing, but there is a latitude',
  ])
  assert.deepEqual(noted({ latitude: null, longitude: -2.1 }), [
    'latitude: is missing, but there is a longitude',
  ])
})
