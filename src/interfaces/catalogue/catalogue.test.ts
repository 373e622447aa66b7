import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vehicles } from '../../datasets/vehicles/index.ts'
import type { Operation, Route } from '../../http/router.ts'
import type { SourceState } from '../../store/store.ts'
import { describeDataset, lastChange } from './catalogue.ts'
import { type CatalogueEntry, entryOf } from './entry.ts'

const csv = {
  name: 'csv',
  mediaType: 'text/csv; charset=utf-8',
  description: '',
  write: async function* () {},
}
const places = { ...csv, name: 'geojson', refusal: () => 'no positions' }

const unserved = entryOf(vehicles, {
  snapshots: { get: () => undefined },
  unavailable: new Set(),
  metadata: { title: 'Data' },
})
const served: CatalogueEntry = { ...unserved, updatedAt: '2026-01-01T10:00:30.500Z' }

interface Known {
  readonly at: string
  readonly source?: SourceState
  readonly routes?: readonly Route[]
}

function described(entry: CatalogueEntry, { at, source, routes = [] }: Known) {
  return describeDataset(vehicles, entry, {
    release: undefined,
    profile: undefined,
    formats: [csv, places],
    routes,
    source,
    now: Date.parse(at),
  })
}

test('the age is of whole minutes, each of which is a change', () => {
  const startedAt = new Date('2026-01-01T10:00:00Z')
  const CASES = [
    ['2026-01-01T10:00:20.000Z', 0, '2026-01-01T10:00:30.500Z'],
    ['2026-01-01T10:01:30.499Z', 0, '2026-01-01T10:00:30.500Z'],
    ['2026-01-01T10:01:30.500Z', 60, '2026-01-01T10:01:30.500Z'],
    ['2026-01-01T11:01:59.000Z', 3660, '2026-01-01T11:01:30.500Z'],
  ] as const
  for (const [at, age, changed] of CASES) {
    const description = described(served, { at })
    assert.equal(description.freshness.ageSeconds, age, at)
    assert.equal(lastChange(description, startedAt).toISOString(), changed, at)
  }
  const [succeededAt, triedAt] = ['2026-01-01T10:01:30.000Z', '2026-01-01T10:01:40.000Z']
  const days = [{ date: '2026-01-01', succeeded: 1, failed: 1 }]
  const source = { succeededAt, triedAt, days } as unknown as SourceState
  const looked = described(served, { at: '2026-01-01T10:01:50.000Z', source })
  const { ageSeconds: _, ...freshness } = looked.freshness
  assert.deepEqual(freshness, { sourceCheckedAt: succeededAt, sourceTriedAt: triedAt, sourceDays: days })
  assert.equal(lastChange(looked, startedAt).toISOString(), triedAt)
  assert.deepEqual(lastChange(described(unserved, { at: '2026-01-02T10:00:00Z' }), startedAt), startedAt)
})

test('formats and endpoints are those of the service', () => {
  const route = (path: string, tag: string, summary?: string) => ({
    path,
    tag,
    handle: () => assert.fail(),
    operation: summary === undefined ? undefined : ({ summary } as Operation),
  })
  const routes: Route[] = [
    route('/v1/vehicles', 'vehicles', 'All'),
    route('/v1/vehicles.csv', 'vehicles'),
    route('/v1/vehicles/:hash', 'vehicles', 'One'),
    route('/v1/toilets', 'toilets', 'Others'),
    route('/v1/datasets/:name', 'catalogue', 'This'),
    route('/v1/datasets/:name/files/:file', 'catalogue', 'A file'),
  ]
  const { formats, endpoints } = described(served, { at: served.updatedAt ?? '', routes })
  assert.deepEqual(formats, [
    { name: 'json', mediaType: 'application/json; charset=utf-8', path: '/v1/vehicles' },
    { name: 'csv', mediaType: 'text/csv; charset=utf-8', path: '/v1/vehicles.csv' },
  ])
  assert.deepEqual(endpoints, [
    { path: '/v1/vehicles', title: 'All' },
    { path: '/v1/vehicles/{hash}', title: 'One' },
    { path: '/v1/datasets/vehicles/files/{file}', title: 'A file' },
  ])
})
