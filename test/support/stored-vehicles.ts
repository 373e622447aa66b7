import type { TableLayout } from '../../src/query/layout.ts'
import type { StoredRecord } from '../../src/query/query.ts'
import type { OpenRelease, Release, ReleaseStore, Staging, Store } from '../../src/store/store.ts'

/** The layout of the register of vehicles, and of the records below. */
export const VEHICLES: TableLayout = {
  kind: 'table',
  newestFirstBy: 'firstRegisteredInJerseyAt',
  columns: [
    { name: 'make', type: 'word' },
    { name: 'model', type: 'word' },
    { name: 'color', type: 'word' },
    { name: 'cylinderCapacity', type: 'number' },
    { name: 'fuelType', type: 'word' },
    { name: 'firstRegisteredAt', type: 'day' },
    { name: 'firstRegisteredInJerseyAt', type: 'day' },
    { name: 'hash', type: 'digest' },
  ],
}

/** Makes vehicles that differ, the same for the same numbers. */
export function vehicles(count: number, seed = 0): StoredRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const n = index + seed
    return {
      make: ['Ford', 'Citroën', 'Renault', 'B.M.W.', 'Lancia'][n % 5],
      model: `model ${n % 97}`,
      color: ['Blue', 'Red', 'Grey'][n % 3],
      cylinderCapacity: n % 11 === 0 ? null : 900 + (n % 40) * 50.5,
      fuelType: n % 4 === 0 ? 'HEAVY_OIL' : 'PETROL',
      firstRegisteredAt: n % 13 === 0 ? null : midnight(3000 + (n % 9000)),
      firstRegisteredInJerseyAt: n % 17 === 0 ? null : midnight(4000 + ((n * 7) % 9000)),
      hash: n.toString(16).padStart(64, '0'),
    }
  })
}

const midnight = (days: number): string => new Date(days * 86_400_000).toISOString()

/** Adds records to a new release, each under the key that `keyOf` gives. */
export async function appendAll(
  staging: Staging,
  records: readonly StoredRecord[],
  keyOf: (record: StoredRecord) => string = record => String(record.hash ?? record.id),
): Promise<Awaited<ReturnType<Staging['seal']>>> {
  for (const record of records) await staging.append(keyOf(record), record)
  return staging.seal()
}

/** Publishes records as the dataset's next release. */
export async function publishAll(
  store: Store,
  dataset: string,
  layout: Parameters<ReleaseStore['stage']>[1],
  records: readonly StoredRecord[],
): Promise<Release> {
  const staging = await store.releases.stage(dataset, layout)
  await appendAll(staging, records)
  const changes = await staging.changesSince(await store.releases.current(dataset))
  return staging.publish({ source: 'test', synthetic: true, changes, firstSeen: new Map() })
}

/** Gathers every record that a release gives. */
export async function allRecords(opened: OpenRelease): Promise<StoredRecord[]> {
  const records: StoredRecord[] = []
  for await (const record of opened.records()) records.push(record)
  return records
}

/** Changes to a vehicle that no store could give back as they were. */
export const UNSTORABLE: readonly StoredRecord[] = [
  { make: null },
  { make: 7 },
  { cylinderCapacity: '1400' },
  { cylinderCapacity: Number.NaN },
  { firstRegisteredAt: '2024-03-11' },
  { firstRegisteredAt: '2024-03-11T01:00:00.000Z' },
  { firstRegisteredAt: '2023-02-30T00:00:00.000Z' },
  { firstRegisteredAt: '+010000-01-01T00:00:00.000Z' },
  { hash: 'ABC' },
  { another: 1 },
]
