import Type, { type TObject } from 'typebox'
import type { Dataset } from '../../datasets/dataset.ts'
import * as field from '../../datasets/fields.ts'
import { ISLAND } from '../../island/island.ts'
import { type Bbox, boundsOf, hasGeometry, pointOf } from '../../query/geometry.ts'
import type { Collection, Point, SortKey, StoredRecord } from '../../query/query.ts'
import type { Snapshot } from '../../releases/snapshots/snapshot.ts'
import { figure } from '../../values/numbers.ts'
import { cut } from '../../values/text.ts'
import { memberOf } from '../../values/values.ts'
import { describeFields } from './field-descriptions.ts'

/** A summary of the records of a release. */
export interface Profile {
  /** The area of the positions. */
  readonly bbox: Bbox
  /** The first and the last date, without the time if it is midnight; null if no record has a date. */
  readonly period: { readonly start: string; readonly end: string } | null
  /** The values of open enumerations beyond the known values, by the name of the field. */
  readonly otherValues: ReadonlyMap<string, OtherValues>
  readonly warnings: readonly DatasetWarning[]
}

/** Values of an open enumeration beyond the known values, and how many records hold one. */
interface OtherValues {
  readonly values: ReadonlySet<string>
  readonly records: number
}

/** A fault in some of the records of a dataset. */
export const DatasetWarning = Type.Object({
  kind: field.enumeration(
    ['held-back', 'corrected', 'no-position', 'off-island', 'no-date', 'unknown-value'],
    {
      description: 'What is wrong.',
    },
  ),
  records: Type.Integer({ description: 'The number of records of which it holds.', minimum: 1 }),
  detail: Type.String({ description: 'The same as a sentence.' }),
  ids: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Only with `held-back` and `corrected`: the ids of these records.',
    }),
  ),
})
type DatasetWarning = Type.Static<typeof DatasetWarning>

/** Reads the records of a release, most of them through the queries of its collection. */
export async function profileOf(
  { record, layout, datedBy }: Pick<Dataset, 'record' | 'layout' | 'datedBy'>,
  snapshot: Snapshot,
): Promise<Profile> {
  const { release, records, collection } = snapshot
  const { west, south, east, north } = ISLAND.bounds
  const { heldBack = [], corrected = [] } = release
  const correctedIds = [...new Set(corrected.map(({ id }) => id))]
  const places = hasGeometry(record) ? placesOf(records) : undefined
  const otherValues = await findOtherValues(record, snapshot, layout.kind === 'table')
  const dated = datedBy === undefined ? release.rows : await countDated(collection, datedBy)
  const warn = (kind: DatasetWarning['kind'], count: number, what: string): DatasetWarning[] =>
    count === 0
      ? []
      : [{ kind, records: count, detail: `${figure(count)} of ${figure(release.rows)} records ${what}.` }]
  return {
    // Without any position, the area of the island.
    bbox: boundsOf(places?.points ?? []) ?? [west, south, east, north],
    period: datedBy === undefined ? null : await periodOf(collection, datedBy, dated),
    otherValues,
    warnings: [
      ...warn('held-back', heldBack.length, HELD_BACK).map(warning => ({
        ...warning,
        ids: heldBack.map(({ id }) => id),
      })),
      ...warn('corrected', correctedIds.length, CORRECTED).map(warning => ({
        ...warning,
        ids: correctedIds,
      })),
      ...warn('no-position', places?.without ?? 0, 'have no position'),
      ...warn('off-island', places?.offIsland ?? 0, 'have a position that is not on the island'),
      ...warn('no-date', release.rows - dated, `have no ${datedBy}`),
      ...[...otherValues].flatMap(([name, { values, records }]) => {
        const named = cut([...values].join(', '), 200)
        return warn(
          'unknown-value',
          records,
          `have a value of ${name} that is not among its known ones: ${named}`,
        )
      }),
    ],
  }
}

const CORRECTED = 'have values that the publisher of this service corrected'
const HELD_BACK =
  'have a position off the island in the source, and are published with their last good one, or without one if they had none'

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

async function countDated(collection: Collection, field: string): Promise<number> {
  const { total } = await collection.execute({ filters: [{ field, from: '0001-01-01' }], limit: 0 })
  return total
}

/** The first and the last date. A table is stored in the order of dates, so it needs no sorting. */
async function periodOf(collection: Collection, field: string, dated: number): Promise<Profile['period']> {
  if (dated === 0) return null
  const sort: SortKey[] = [{ field, direction: 'descending' }]
  const dateAt = async (offset: number): Promise<string> => {
    const { batches } = await collection.execute({ sort, offset, limit: 1, fields: [field] })
    let date = ''
    for await (const batch of batches()) date = String(batch.records()[0]?.[field])
    return date.replace('T00:00:00.000Z', '')
  }
  return { start: await dateAt(dated - 1), end: await dateAt(0) }
}

/** Finds the other values of each open enumeration, by the name of the field; fields without other values are left out. */
async function findOtherValues(
  record: TObject,
  { records, collection }: Pick<Snapshot, 'records' | 'collection'>,
  isTable: boolean,
): Promise<ReadonlyMap<string, OtherValues>> {
  const found = new Map<string, OtherValues>()
  for (const { name, enumeration } of describeFields(record)) {
    if (enumeration === null || enumeration.closed) continue
    const known = new Set<unknown>(enumeration.values.map(({ value }) => value))
    const isOther = (value: unknown) => typeof value === 'string' && !known.has(value)
    const others = isTable ? await inTable(collection, name, isOther) : inRecords(records, name, isOther)
    if (others.records > 0) found.set(name, others)
  }
  return found
}

type Test = (value: unknown) => boolean

async function inTable(collection: Collection, field: string, isOther: Test): Promise<OtherValues> {
  const groups = (await collection.count({ by: [field] })).slice().filter(([value]) => isOther(value))
  return {
    values: new Set(groups.map(([value]) => String(value))),
    records: groups.reduce((sum, [, count]) => sum + Number(count), 0),
  }
}

/** The same for a field that may be a list, or lie within an object. */
function inRecords(records: readonly StoredRecord[], name: string, isOther: Test): OtherValues {
  const path = name.split('.')
  const held = records.map(record => {
    const value = path.reduce(memberOf, record)
    return [value].flat().filter(isOther)
  })
  return {
    values: new Set(held.flat().map(String)),
    records: held.filter(({ length }) => length > 0).length,
  }
}
