import type { StoredRecord } from '../../src/query/query.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { HistoricReading, Release, SourceState, Store, StoredDataset } from '../../src/store/store.ts'
import { allRecords, publishAll, VEHICLES, vehicles } from './stored-vehicles.ts'

const has = (field: string) => (record: StoredRecord) =>
  typeof record[field] === 'string' ? undefined : `it has no ${field}`

/** The datasets of the stores below: one of each layout. */
export const STORED: readonly StoredDataset[] = [
  { name: 'vehicles', layout: VEHICLES, keyOf: record => String(record.hash), check: has('hash') },
  { name: 'toilets', layout: { kind: 'documents' }, keyOf: record => String(record.id), check: has('id') },
]

const FOLLOWED: SourceState = {
  dataset: 'toilets',
  configuration: 'abc',
  triedAt: '2026-03-01T10:00:00.000Z',
  outcome: 'refused',
  reason: 'too few "records"',
  succeededAt: null,
  changed: { at: '2026-02-01T10:00:00.000Z', release: 6 },
  refused: { at: '2026-03-01T10:00:00.000Z', reason: 'too few "records"' },
  failures: 1,
  failingSince: '2026-03-01T10:00:00.000Z',
  dueAt: '2026-03-01T11:00:00.000Z',
  validators: { etag: '"1"' },
  hash: 'def',
}

const toilet = (id: string, name: string) => ({ id, name, tags: ['a', null], createdAt: '2024-01-01' })

/** Fills a store with everything that it can keep: pruned and rolled-back releases, first-seen times, readings, sources. */
export async function fillStore(store: Store, { rows = 500, readings = 100 } = {}): Promise<void> {
  await publishAll(store, 'vehicles', VEHICLES, vehicles(rows))
  for (let round = 1; round <= 6; round++) {
    const staging = await store.releases.stage('toilets', { kind: 'documents' })
    await staging.append('a', toilet('a', `Émile's ${round}\n\t"loo" \\ \u{1f6bd}`))
    await staging.append('b', toilet('b', 'b'))
    await staging.seal()
    const changes = await staging.changesSince(await store.releases.current('toilets'))
    const firstSeen = new Map(round === 1 ? [['a', '2024-01-01T00:00:00.000Z'] as const] : [])
    await staging.publish({ source: `toilets ${round}.json`, synthetic: false, changes, firstSeen })
  }
  await store.releases.makeCurrent('toilets', 4)
  await store.readings.saveHistory(pastReadings(readings), 'past.csv')
  await store.sources.save(FOLLOWED)
  for (const timestamp of ['2026-03-01T10:00:00.000Z', '2026-03-01T10:01:00.000Z'])
    await store.readings.saveObservation({
      timestamp,
      entries: [
        { code: 'B', name: 'Renamed', spaces: 4, status: 'good', open: true },
        { code: 'NEW', name: 'New "one"', spaces: 0, status: 'old', open: false },
      ],
    })
}

export function* pastReadings(count: number): Generator<HistoricReading> {
  for (let n = 0; n < count; n++)
    for (const code of ['A', 'B'])
      yield {
        ...{ at: Date.UTC(2026, 0, 1) + n * 300_000, code, name: `Car park ${code}`, spaces: n % 99 },
        ...{ open: n % 3 === 0 ? null : n % 3 === 1, status: n % 2 === 0 ? null : 'good' },
      }
}

/** All that readers can see of a store, except for its engine's own. */
export async function contentOf(address: string) {
  const store = await openStore(address, { mustExist: true })
  try {
    const releases: (Omit<Release, 'bytes'> & { records: unknown[] })[] = []
    for (const { name, layout } of STORED)
      for (const release of await store.releases.list(name)) {
        const open = await store.releases.open(release, layout)
        // A file has not the size of rows.
        const { bytes: _, ...others } = release
        releases.push({ ...others, records: await allRecords(open) })
      }
    const all = { from: 0, to: Date.UTC(2027, 0, 1) }
    return {
      releases,
      firstSeen: await store.releases.firstSeen('toilets'),
      latest: await store.readings.latestObservation(),
      kept: await store.readings.keptHistory(),
      readings: await store.readings.readings(all),
      origins: await store.readings.origins(),
      sources: await store.sources.list(),
      // A restore tells of itself.
      journal: (await store.journal.list('toilets')).flatMap(entry =>
        entry.event === 'restored' ? [] : { ...entry },
      ),
      hours: await store.readings.summaries(all, 'hour'),
    }
  } finally {
    await store.close()
  }
}
