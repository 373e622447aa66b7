import type { TObject } from 'typebox'
import type { Dataset } from '../../datasets/dataset.ts'
import type { Collection } from '../../query/collection.ts'
import { hasGeometry, ISLAND, type Point, pointOf } from '../../query/geometry.ts'
import type { SortKey, StoredRecord } from '../../query/query.ts'
import type { Snapshot } from '../../releases/snapshots/snapshot.ts'
import { cut } from '../../values/text.ts'
import { describeFields, type OtherValues } from './field-descriptions.ts'

/** What the records of a release are about as a whole. */
export interface Profile {
  /** The corners of the area: west, south, east, north. */
  readonly bbox: Bbox
  /** The first and the last date: of a calendar date the date alone. Null where the records have none. */
  readonly period: { readonly start: string; readonly end: string } | null
  readonly otherValues: OtherValues
  readonly warnings: readonly Warning[]
}

export type Bbox = [west: number, south: number, east: number, north: number]

/** What is wrong with some of the records. */
export interface Warning {
  readonly kind: (typeof WARNING_KINDS)[number]
  readonly records: number
  /** A sentence. */
  readonly detail: string
}

export const WARNING_KINDS = ['no-position', 'off-island', 'no-date', 'unknown-value'] as const

/** Reads the records of a release, most of them through the queries of its collection. */
export async function profileOf(
  { record, layout, datedBy }: Pick<Dataset, 'record' | 'layout' | 'datedBy'>,
  { release, records, collection }: Snapshot,
): Promise<Profile> {
  const places = hasGeometry(record) ? placesOf(records) : undefined
  const valuesOf =
    layout.kind === 'table' ? countedValues(collection) : async (name: string) => heldValues(records, name)
  const others = await countOtherValues(record, valuesOf)
  const undated = datedBy === undefined ? 0 : release.rows - (await countDated(collection, datedBy))
  const warn = (kind: Warning['kind'], count: number, what: string): Warning[] =>
    count === 0 ? [] : [{ kind, records: count, detail: `${count} of ${release.rows} records ${what}.` }]
  return {
    bbox: boundsOf(places?.points ?? []),
    period: datedBy === undefined ? null : await periodOf(collection, datedBy),
    otherValues: new Map([...others].map(([name, counts]) => [name, [...counts.keys()]])),
    warnings: [
      ...warn('no-position', places?.without ?? 0, 'have no position'),
      ...warn('off-island', places?.offIsland ?? 0, 'have a position that is not on the island'),
      ...warn('no-date', undated, `have no ${datedBy}`),
      ...[...others].flatMap(([name, counts]) =>
        warn(
          'unknown-value',
          [...counts.values()].reduce((sum, count) => sum + count),
          `have a value of ${name} that is not among its known ones: ${cut([...counts.keys()].join(', '), 200)}`,
        ),
      ),
    ],
  }
}

function placesOf(records: readonly StoredRecord[]) {
  const points: Point[] = []
  let without = 0
  for (const record of records) {
    const point = pointOf(record)
    if (point !== undefined) points.push(point)
    else if (record.latitude === null || record.longitude === null) without++
  }
  return { points, without, offIsland: records.length - points.length - without }
}

/** The area of the points, and of none the island's. */
function boundsOf(points: readonly Point[]): Bbox {
  const { west, south, east, north } = ISLAND
  if (points.length === 0) return [west, south, east, north]
  const [longitudes, latitudes] = [points.map(each => each.longitude), points.map(each => each.latitude)]
  return [
    ...[Math.min(...longitudes), Math.min(...latitudes)],
    ...[Math.max(...longitudes), Math.max(...latitudes)],
  ] as Bbox
}

/** How many records hold each value that an open enumeration does not know, by the name of the field. */
async function countOtherValues(
  record: TObject,
  valuesOf: (field: string) => Promise<Iterable<readonly [value: unknown, count: number]>>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const found = new Map<string, ReadonlyMap<string, number>>()
  for (const { name, enumeration } of describeFields(record)) {
    if (enumeration === null || enumeration.closed) continue
    const known = new Set(enumeration.values.map(({ value }) => value))
    const counts = new Map<string, number>()
    for (const [value, count] of await valuesOf(name))
      if (typeof value === 'string' && !known.has(value)) counts.set(value, (counts.get(value) ?? 0) + count)
    if (counts.size > 0) found.set(name, counts)
  }
  return found
}

const countedValues = (collection: Collection) => async (field: string) =>
  (await collection.count({ by: [field] })).map(([value, count]) => [value, Number(count)] as const)

/** Each value of a field, which may lie within an object, once for each record that holds it. */
function heldValues(records: readonly StoredRecord[], name: string) {
  const path = name.split('.')
  const valueIn = (record: StoredRecord) =>
    path.reduce((value: unknown, part) => (value as StoredRecord | null)?.[part], record)
  return records.flatMap(record => [valueIn(record)].flat().map(value => [value, 1] as const))
}

async function countDated(collection: Collection, field: string): Promise<number> {
  const { total } = await collection.execute({ filters: [{ field, from: '0001-01-01' }], limit: 0 })
  return total
}

async function periodOf(collection: Collection, field: string): Promise<Profile['period']> {
  const first = async (direction: SortKey['direction']): Promise<string | null> => {
    const { batches } = await collection.execute({ sort: [{ field, direction }], limit: 1, fields: [field] })
    for await (const batch of batches())
      return String(batch.records()[0]?.[field] ?? '').replace('T00:00:00.000Z', '') || null
    return null
  }
  const [start, end] = [await first('ascending'), await first('descending')]
  return start === null || end === null ? null : { start, end }
}
