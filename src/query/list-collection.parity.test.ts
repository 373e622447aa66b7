import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import Type from 'typebox'
import { vehicles } from '../../test/support/stored-vehicles.ts'
import {
  counted,
  countQuery,
  executed,
  filters,
  model,
  query,
  record,
  served,
} from '../../test/support/table-cases.ts'
import * as field from '../datasets/fields.ts'
import { Vehicle } from '../datasets/vehicles/schema.ts'
import { distanceMetres, pointOf } from './geometry.ts'
import { listCollection } from './list-collection.ts'
import type { CountKey, Filter, StoredRecord } from './query.ts'

const RECORD = Type.Omit(Vehicle, ['weight', 'co2Emissions'])

test('a list gives the results of the model', async () => {
  const cases = fc.tuple(fc.array(record, { maxLength: 40 }), query(), countQuery(filters))
  await fc.assert(
    fc.asyncProperty(cases, async ([records, query, count]) => {
      const collection = listCollection(served(records), RECORD)
      const expected = model(records)
      assert.deepEqual(await executed(collection, query), expected.execute(query))
      assert.deepEqual(await counted(collection, count), expected.count(count))
    }),
    { numRuns: 3000 },
  )
})

test('a long list is read in several batches', async () => {
  const records = vehicles(1234)
  const lengths: number[] = []
  const { batches } = await listCollection(records, RECORD).execute({})
  for await (const batch of batches()) lengths.push(batch.length)
  assert.ok(lengths.length > 1)
  assert.equal(
    lengths.reduce((sum, length) => sum + length),
    1234,
  )
})

const Place = Type.Object({
  id: field.integer({ description: 'Number.' }),
  services: field.enumerationList(['GLASS', 'PAPER', 'CAFÉ'], { description: 'Services.' }),
  isOpen: field.flag({ description: 'Open.' }),
  openedAt: field.timestamp({ description: 'Opened.' }),
  latitude: field.latitude(),
  longitude: field.longitude(),
})

const degree = (from: number, to: number) => fc.integer({ min: from * 20, max: to * 20 }).map(n => n / 20)
const latitude = degree(48, 50)
const longitude = degree(-3, -1)
const placed = fc.record({
  id: fc.nat(9),
  services: fc.subarray(['GLASS', 'PAPER', 'CAFÉ']),
  isOpen: fc.boolean(),
  openedAt: fc.constantFrom('2024-06-06T23:00:00.000Z', '2024-06-07T00:00:00.000Z'),
  latitude: fc.option(fc.oneof(latitude, fc.constant(0))),
  longitude: fc.option(fc.oneof(longitude, fc.constant(0))),
})

const ids = (records: readonly StoredRecord[]) => records.map(({ id }) => id)

async function idsOf(records: readonly StoredRecord[], query: Parameters<typeof executed>[1]) {
  const { json } = await executed(listCollection(records, Place), query)
  return ids(JSON.parse(`[${json}]`))
}

test('a box holds the positions within it, its edges included, also across the 180th meridian', async () => {
  const box = fc.record({ west: longitude, south: latitude, east: longitude, north: latitude })
  await fc.assert(
    fc.asyncProperty(fc.array(placed), box, async (records, box) => {
      const within = records.filter(one => {
        const point = pointOf(one)
        if (point === undefined) return false
        const { latitude, longitude } = point
        // Going east from the west of the box, the position is passed before the east of the box.
        const eastOfWest = (degrees: number) => (degrees - box.west + 360) % 360
        return eastOfWest(longitude) <= eastOfWest(box.east) && latitude >= box.south && latitude <= box.north
      })
      assert.deepEqual(await idsOf(records, { place: { box } }), ids(within))
      const orUnknown = records.filter(one => within.includes(one) || pointOf(one) === undefined)
      assert.deepEqual(await idsOf(records, { place: { box, orUnknown: true } }), ids(orUnknown))
    }),
  )
})

test('records near a point come nearest first, within the radius, and those without a position do not', async () => {
  const near = fc.record(
    { latitude, longitude, radiusMetres: fc.nat(60_000) },
    { requiredKeys: ['latitude', 'longitude'] },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(placed), near, async (records, near) => {
      const distances = records.flatMap(one => {
        const point = pointOf(one)
        const metres = point && distanceMetres(near, point)
        return metres === undefined || metres > (near.radiusMetres ?? 1e9) ? [] : [{ one, metres }]
      })
      const nearest = distances.sort((a, b) => a.metres - b.metres).map(({ one }) => one)
      assert.deepEqual(await idsOf(records, { place: { near } }), ids(nearest))
    }),
  )
})

test('a sort takes precedence over distance', async () => {
  const records = [
    { id: 2, latitude: 49.2, longitude: -2.1 },
    { id: 1, latitude: 49.1, longitude: -2.2 },
  ]
  const place = { near: { latitude: 49.2, longitude: -2.1 } }
  assert.deepEqual(await idsOf(records, { place }), [2, 1])
  assert.deepEqual(await idsOf(records, { place, sort: [{ field: 'id', direction: 'ascending' }] }), [1, 2])
})

test('distances are those of the earth', () => {
  const harbour = { latitude: 49.1833, longitude: -2.1136 }
  assert.equal(Math.round(distanceMetres(harbour, harbour)), 0)
  // One degree of latitude, and the great-circle distance from St Helier to Paris.
  assert.equal(Math.round(distanceMetres(harbour, { ...harbour, latitude: 50.1833 })), 111_195)
  const paris = { latitude: 48.8566, longitude: 2.3522 }
  assert.ok(Math.abs(distanceMetres(harbour, paris) - 328_000) < 1000)
})

test('lists, flags and timestamps are filtered by what they hold', async () => {
  const records = [
    { id: 1, services: ['GLASS', 'CAFÉ'], isOpen: true, openedAt: '2024-06-06T23:00:00.000Z' },
    { id: 2, services: [], isOpen: false, openedAt: '2024-06-07T00:00:00.000Z' },
  ]
  const cases: [Filter, number[]][] = [
    [{ field: 'services', equals: 'cafe' }, [1]],
    [{ field: 'services', equals: 'CAF' }, []],
    [{ field: 'isOpen', equals: false }, [2]],
    [{ field: 'id', equals: 2 }, [2]],
    [{ field: 'openedAt', to: '2024-06-06' }, [1]],
    [{ field: 'openedAt', from: '2024-06-07' }, [2]],
  ]
  for (const [filter, expected] of cases)
    assert.deepEqual(await idsOf(records, { filters: [filter] }), expected)
  const count = (by: readonly CountKey[]) => counted(listCollection(records, Place), { by })
  assert.deepEqual(await count(['isOpen']), [
    [false, 1],
    [true, 1],
  ])
  assert.deepEqual(await count(['services', 'id']), [
    ['CAFÉ', 1, 1],
    ['GLASS', 1, 1],
  ])
  assert.deepEqual(await count([{ field: 'openedAt', part: 'month' }]), [['2024-06', 2]])
})

test('a query that a field does not support is an error, not an empty result', async () => {
  const { execute, count } = listCollection([], Place)
  const wrong: Filter[] = [
    { field: 'nothing', equals: 1 },
    { field: 'id', contains: '1' },
    { field: 'id', equals: '1' },
    { field: 'isOpen', equals: 'true' },
    { field: 'services', contains: 'GLASS' },
    { field: 'services', from: 1 },
    { field: 'openedAt', from: '2023-02-30' },
    { field: 'openedAt', to: 'today' },
    { field: 'id', from: '2024-01-01' },
    { words: 'glass', fields: ['services'] },
  ]
  for (const filter of wrong)
    assert.throws(() => execute({ filters: [filter] }), RangeError, JSON.stringify(filter))
  for (const name of ['services', 'nothing'])
    assert.throws(() => execute({ sort: [{ field: name, direction: 'ascending' }] }), RangeError)
  assert.throws(() => count({ by: ['nothing'] }), RangeError)
  assert.throws(() => count({ by: [{ field: 'id', part: 'year' }] }), RangeError)
  assert.throws(() => count({ by: ['isOpen'], of: ['services'] }), RangeError)
  assert.throws(() => execute({ fields: ['nothing'] }), RangeError)
  const place = { near: { latitude: 49, longitude: -2 } }
  assert.throws(() => listCollection([], RECORD).execute({ place }), RangeError)
})
