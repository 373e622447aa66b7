import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import Type from 'typebox'
import { emptyFolder } from '../../../test/support/folder.ts'
import { temporaryStore } from '../../../test/support/service.ts'
import { CALENDAR_DATE } from '../../query/fields.ts'
import type { Release, Store } from '../../store/store.ts'
import type { ImportOptions } from './import.ts'
import { importDataset } from './import.ts'
import { type Importable, Rejection } from './importable.ts'
import type { Progress } from './report.ts'

const nullable = (type: string, more = {}) => Type.Unsafe<unknown>({ type: [type, 'null'], ...more })

const benches: Importable = {
  name: 'benches',
  record: Type.Object({
    id: Type.String({ format: 'uuid' }),
    createdAt: Type.String({ format: 'date-time' }),
    name: Type.String(),
    parish: Type.String({ default: '' }),
    seats: nullable('integer', { minimum: 0 }),
    latitude: nullable('number', { minimum: -90, maximum: 90 }),
    longitude: nullable('number', { minimum: -180, maximum: 180 }),
  }),
  layout: { kind: 'documents' },
  identity: { kind: 'uuid', naturalKey: bench => `${bench.name}|${bench.parish}` },
  knownBy: ['name'],
  columnAliases: { places: 'seats', remarks: null },
  rejectLimit: { rows: 0 },
}

const notices: Importable = {
  ...benches,
  name: 'notices',
  record: Type.Object({ id: Type.Integer(), title: Type.String() }),
  identity: { kind: 'given' },
  columnAliases: {},
}

const boats: Importable = {
  name: 'boats',
  record: Type.Object({
    make: Type.String(),
    length: nullable('number'),
    registeredAt: nullable('string', { format: 'date-time', [CALENDAR_DATE]: true }),
    hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  }),
  layout: {
    kind: 'table',
    columns: [
      { name: 'make', type: 'word' },
      { name: 'length', type: 'number' },
      { name: 'registeredAt', type: 'day' },
      { name: 'hash', type: 'digest' },
    ],
    newestFirstBy: 'registeredAt',
  },
  identity: { kind: 'fingerprint', field: 'hash' },
  knownBy: ['make'],
  columnAliases: {},
  rejectLimit: { percent: 1 },
  transform: boat => ({
    ...boat,
    hash: createHash('sha256').update(`${boat.make}-${boat.length}`).digest('hex'),
  }),
}

/** A new store, and a function that imports text into it. */
async function setUp(t: TestContext) {
  const folder = await emptyFolder(t)
  const store = await temporaryStore(t, `sqlite:${folder}`)
  const load = (dataset: Importable, text: string | Buffer, more: Partial<ImportOptions> = {}) =>
    importDataset({ store, dataset, source: 'made-up', input: Readable.from([Buffer.from(text)]), ...more })
  return { store, folder, load }
}

async function published(store: Store, { name, layout }: Importable): Promise<Record<string, unknown>[]> {
  const open = await store.releases.open((await store.releases.current(name)) as Release, layout)
  const records: Record<string, unknown>[] = []
  for await (const record of open.records()) records.push({ ...record })
  return records
}

const bench = (name: string, more = {}) => ({
  name,
  parish: 'Trinity',
  latitude: 49.23,
  longitude: -2.09,
  ...more,
})
const some = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => bench(`bench ${from + at}`))
const json = (value: unknown) => JSON.stringify(value)

const COMMA =
  'must be a number in plain decimal digits: a point, not a comma, before decimals, and nothing between thousands'

test('publishes a source and reports what it did', async t => {
  const { store, load } = await setUp(t)
  const csv =
    'Name;PLACES;colour;remarks;latitude;longitude\nHarbour;4;green;x;49,1;\nMill;;red;;49.2;-2.1\nHill;3;;;2.1;49.2\n'
  const report = await load(benches, csv, { rejectLimit: { rows: 1 } })
  const { durationMs, release, contentHash, groups, checks, ...rest } = report
  assert.ok(durationMs >= 0)
  assert.equal(contentHash, release?.hash)
  assert.deepEqual(groups.rejections, [
    {
      column: 'latitude',
      reason: COMMA,
      count: 1,
      lines: [2],
      values: ['49,1'],
    },
  ])
  assert.ok(checks.every(({ outcome, findings }) => outcome === 'passed' && findings.length === 0))
  assert.deepEqual(rest, {
    dataset: 'benches',
    source: 'made-up',
    outcome: 'published',
    reason: undefined,
    read: 3,
    accepted: 2,
    rejected: 1,
    skipped: 0,
    warned: 1,
    added: 2,
    changed: 0,
    removed: 0,
    rejections: [{ line: 2, column: 'latitude', value: '49,1', reason: COMMA }],
    warnings: [
      {
        line: 4,
        column: 'latitude',
        value: '2.1, 49.2',
        reason: 'lies off the island',
      },
    ],
    losses: null,
    heldBack: [],
    corrected: [],
    ignoredColumns: ['colour'],
    recognisedColumns: [
      { column: 'Name', field: 'name' },
      { column: 'PLACES', field: 'seats' },
      { column: 'latitude', field: 'latitude' },
      { column: 'longitude', field: 'longitude' },
    ],
  })
  const current = await store.releases.current('benches')
  assert.deepEqual(release, { number: 1, hash: current?.hash })
  assert.equal(current?.source, 'made-up')
  const [mill] = await published(store, benches)
  assert.deepEqual(Object.keys(mill ?? {}), Object.keys(benches.record.properties))
})

test('the release is named for the file; progress counts its bytes, then says what is done with the rows', async t => {
  const { store, folder } = await setUp(t)
  const source = join(folder, 'benches of 2024.json')
  const text = json({ pagination: { page: 1 }, results: some(1200) })
  await writeFile(source, text)
  const progress: Progress[] = []
  await importDataset({ store, dataset: benches, source, onProgress: at => progress.push(at) })
  assert.equal((await store.releases.current('benches'))?.source, 'benches of 2024.json')
  const reading = progress.filter(({ phase }) => phase === undefined)
  const all = { rows: 1200, bytesRead: text.length, bytesTotal: text.length }
  assert.deepEqual(reading.at(-1), { ...all, phase: undefined })
  const after = progress.slice(reading.length)
  assert.deepEqual(after, [{ ...all, phase: 'publishing' }])
})

test('records without ids get the same ids and times at every import', async t => {
  const { store, load } = await setUp(t)
  const first = await load(benches, json([bench('Harbour'), bench('Mill')]), {
    now: () => new Date('2024-01-01'),
  })
  const [harbour, mill] = await published(store, benches)
  assert.match(String(harbour?.id), /^[0-9a-f]{8}-[0-9a-f]{4}-5/)
  assert.equal(harbour?.createdAt, '2024-01-01T00:00:00.000Z')

  const again = await load(benches, json([bench(' HARBOUR '.trim(), { name: 'Harbour' }), bench('Mill')]))
  assert.equal(again.outcome, 'no new release')
  assert.deepEqual(again.release, first.release)
  assert.deepEqual([again.added, again.changed, again.removed], [0, 0, 0])

  const later = { now: () => new Date('2024-02-02') }
  const third = await load(
    benches,
    json([bench('mill', { seats: 2 }), bench('Hill'), bench('harbour')]),
    later,
  )
  assert.deepEqual([third.added, third.changed, third.removed], [1, 2, 0])
  const records = await published(store, benches)
  assert.deepEqual(
    records.map(({ id, createdAt }) => [id, createdAt]),
    [
      [mill?.id, mill?.createdAt],
      [records[1]?.id, '2024-02-02T00:00:00.000Z'],
      [harbour?.id, harbour?.createdAt],
    ],
  )
})

test('a repeated id: the same record is skipped, a different one is rejected', async t => {
  const { load } = await setUp(t)
  const notice = { id: 7, title: 'Kettle' }
  const report = await load(
    notices,
    json([notice, { title: 'Kettle', id: '7' }, { id: 8, title: 'Toaster' }]),
  )
  assert.deepEqual([report.outcome, report.read, report.accepted, report.skipped], ['published', 3, 2, 1])
  assert.match(report.warnings[0]?.reason ?? '', /is the same record as on line 1; it is skipped/)
  const other = await load(notices, `[${json(notice)},\n${json({ ...notice, title: 'Toaster' })}]`)
  assert.equal(other.outcome, 'refused')
  assert.deepEqual(other.rejections, [
    { line: 2, column: 'id', value: '7', reason: 'is the id of another record, on line 1' },
  ])
})

test('rows identified by a fingerprint may repeat: they are kept, with one warning', async t => {
  const { store, load } = await setUp(t)
  const report = await load(boats, 'make,length,registered at\nArk,12,01/02/2003\nArk,12,01/02/2003\nTub,,\n')
  assert.deepEqual([report.outcome, report.accepted, report.warned], ['published', 3, 1])
  assert.deepEqual(report.warnings, [
    { line: null, column: null, value: null, reason: '1 row repeats another row exactly; it is kept' },
  ])
  assert.equal((await published(store, boats)).length, 3)
})

test('one bad date in 2,000 rows: refused at limit 0, accepted at 1 %', async t => {
  const { store, load } = await setUp(t)
  const rows = Array.from(
    { length: 2000 },
    (_, at) => `Ark,${at},${at === 1499 ? '30/02/2023' : '01/02/2003'}`,
  )
  const csv = `make,length,registeredAt\r\n${rows.join('\r\n')}\r\n`
  const bad = {
    line: 1501,
    column: 'registeredAt',
    value: '30/02/2023',
    reason: 'is a date or time that does not exist',
  }

  const refused = await load(boats, csv, { rejectLimit: { rows: 0 } })
  assert.equal(
    refused.reason,
    '1 of 2000 rows rejected, but the limit is 0 rows; correct the rows listed or raise --reject-limit',
  )
  assert.deepEqual([refused.outcome, refused.rejections, refused.release], ['refused', [bad], null])
  assert.deepEqual(await store.releases.list('boats'), [])

  const accepted = await load(boats, csv)
  assert.deepEqual([accepted.outcome, accepted.accepted, accepted.rejections], ['published', 1999, [bad]])
})

test('a dry run gives the full report and changes nothing', async t => {
  const { store, folder, load } = await setUp(t)
  await load(benches, json(some(6)), { now: () => new Date('2024-01-01') })
  const [before, revision, files] = [
    await store.releases.list('benches'),
    await store.releases.revision(),
    await readdir(folder),
  ]

  const report = await load(benches, json([...some(5), bench('new'), bench('bad', { seats: -1 })]), {
    dryRun: true,
    rejectLimit: { rows: 1 },
  })
  assert.deepEqual([report.outcome, report.release, report.reason], ['dry run', null, undefined])
  assert.deepEqual([report.read, report.accepted, report.added, report.removed], [7, 6, 1, 1])
  assert.deepEqual(await store.releases.list('benches'), before)
  assert.equal(await store.releases.revision(), revision)
  assert.deepEqual(await readdir(folder), files)

  await load(benches, json([...some(6), bench('new')]), { now: () => new Date('2024-03-03') })
  assert.equal(
    (await published(store, benches))[6]?.createdAt,
    '2024-03-03T00:00:00.000Z',
    'the dry run saw no id',
  )
})

test('transformed records are validated again, and may be rejected', async t => {
  const { load } = await setUp(t)
  const transform: Importable['transform'] = notice => {
    if (notice.title === 'secret') throw new Rejection('title', notice.title, 'must not be told')
    return { ...notice, title: notice.title === 'odd' ? 5 : notice.title, extra: 1 }
  }
  const rows = ['fine', 'secret', 'odd'].map((title, id) => ({ id, title }))
  const report = await load({ ...notices, transform }, json(rows), { rejectLimit: { percent: 90 } })
  assert.equal(report.outcome, 'published')
  assert.deepEqual(
    report.rejections.map(({ column, reason }) => [column, reason]),
    [
      ['title', 'must not be told'],
      ['title', 'does not match the schema of the dataset: must be string'],
    ],
  )
})

test('a mistake of a dataset is no fault of the source', async t => {
  const { store, load } = await setUp(t)
  const transform = () => {
    throw new TypeError('a mistake')
  }
  await assert.rejects(load({ ...notices, transform }, json([{ id: 1, title: 'x' }])), {
    message: 'a mistake',
  })
  assert.deepEqual(await store.releases.list('notices'), [])
  assert.equal((await load(notices, json([{ id: 1, title: 'x' }]), { waitMs: 0 })).outcome, 'published')
})

test('a record without any value is rejected even where all may be blank', async t => {
  const { load } = await setUp(t)
  const allBlank = {
    ...boats,
    record: Type.Object({ ...boats.record.properties, make: Type.String({ default: '' }) }),
  }
  const report = await load(allBlank, json([{ colour: 'red' }, { make: 'Ark' }]), {
    rejectLimit: { rows: 1 },
  })
  assert.deepEqual(report.rejections, [{ line: 1, column: null, value: null, reason: 'has no values' }])
})

const spread = (count: number) =>
  Array.from({ length: count }, (_, at) => bench(`bench ${at}`, { latitude: 49.2 + at * 0.001 }))

test('a place that leaves the island keeps its position, and every release says so until it is back', async t => {
  const { store, load } = await setUp(t)
  const list = spread(10)
  const first = await load(benches, json(list))
  const inParis = json([{ ...list[0], latitude: 48.85, longitude: 2.35 }, ...list.slice(1)])
  const report = await load(benches, inParis)
  const reason = '48.85, 2.35: lies off the island; its last good position is kept'
  const [{ id } = {}] = await published(store, benches)
  assert.deepEqual([report.outcome, report.heldBack], ['published', [{ id, name: 'bench 0', reason }]])
  assert.deepEqual(report.warnings, [
    {
      line: 1,
      column: 'latitude',
      value: '48.85, 2.35',
      reason: 'lies off the island; its last good position is kept',
    },
  ])
  assert.equal(report.release?.hash, first.release?.hash, 'the records are the same')
  assert.deepEqual((await store.releases.current('benches'))?.heldBack, report.heldBack)
  assert.equal((await published(store, benches))[0]?.latitude, 49.2)

  const again = await load(benches, inParis)
  assert.deepEqual([again.outcome, again.heldBack], ['no new release', report.heldBack])
  const back = await load(benches, json(list))
  assert.deepEqual([back.outcome, back.release?.number, back.heldBack], ['published', 3, []])
  assert.equal((await store.releases.current('benches'))?.heldBack, undefined)
})

test('a new place off the island has no position, and gets the first good one', async t => {
  const { store, load } = await setUp(t)
  const list = spread(10)
  await load(benches, json(list))
  const added = bench('new', { latitude: 0, longitude: 0 })
  for (const outcome of ['published', 'no new release']) {
    const report = await load(benches, json([...list, added]))
    assert.deepEqual([report.outcome, report.heldBack.length], [outcome, 1])
    const { latitude, longitude } = (await published(store, benches))[10] ?? {}
    assert.deepEqual([latitude, longitude], [null, null])
  }
  await load(benches, json([...list, bench('new')]))
  assert.equal((await published(store, benches))[10]?.latitude, 49.23)
})

test('whoever accepts the check has more positions held back; force publishes them as the source has them', async t => {
  const { store, load } = await setUp(t)
  const list = spread(10)
  await load(benches, json(list))
  const off = json(list.map((each, at) => (at < 3 ? { ...each, latitude: 0, longitude: 0 } : each)))
  const refused = await load(benches, off)
  assert.match(refused.reason ?? '', /^moved-places: 3 of 10 places leave the island: bench 0 \(0, 0: the /)
  assert.deepEqual(refused.heldBack, [])
  const accepted = await load(benches, off, { accept: ['moved-places'] })
  assert.deepEqual([accepted.outcome, accepted.heldBack.length], ['published', 3])
  assert.equal((await published(store, benches))[0]?.latitude, 49.2)
  const forced = await load(benches, off, { force: true })
  assert.deepEqual([forced.outcome, forced.heldBack], ['published', []])
  assert.equal((await published(store, benches))[0]?.latitude, 0)
})

test('the hash of refused records is that of their release; the same time makes it again, and no other records are published', async t => {
  const { load, store } = await setUp(t)
  const rows = (count: number) => Array.from({ length: count }, (_, n) => `Bench ${n},St. Helier\n`).join('')
  await load(benches, `name,parish\n${rows(10)}`)
  const few = `name,parish\n${rows(5)}New,St. Ouen\n`
  const now = () => new Date('2026-01-02T03:04:05.000Z')
  const { outcome, contentHash } = await load(benches, few, { now })
  assert.equal(outcome, 'refused')
  assert.match(contentHash ?? '', /^[0-9a-f]{64}$/)
  const accepted = { accept: ['row-count', 'replaced-ids'], now, onlyHash: contentHash ?? '' }
  const other = await load(benches, `${few}Newer,St. Ouen\n`, accepted)
  assert.match(other.reason ?? '', /^the source has changed since it was refused, so nothing is published/)
  assert.equal((await store.releases.current('benches'))?.number, 1)
  const published = await load(benches, few, accepted)
  assert.deepEqual([published.outcome, published.release?.hash], ['published', contentHash])
  assert.equal((await load(benches, 'nothing')).contentHash, null)
})
