import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import fc from 'fast-check'
import Type from 'typebox'
import { pieces } from '../../test/support/pieces.ts'
import { createColumns } from './columns.ts'
import { withFirstLines } from './encodings.ts'
import { jsonRows } from './json.ts'
import type { SourceRow } from './source-row.ts'

const fields = {
  name: Type.String(),
  latitude: Type.Number(),
  longitude: Type.Number(),
  notes: Type.String(),
}
const PLACES = Type.Object({ id: Type.String({ format: 'uuid' }), ...fields })
const NUMBERED = Type.Object({ id: Type.String(), ...fields })
const UUID = '6060f60d-17a1-49c8-aa4a-c268721a806a'

async function read(text: string, { record = PLACES, map = {}, size = 7 } = {}): Promise<SourceRow[]> {
  const columns = createColumns({ record, columnAliases: { title: 'name', lat: 'latitude' } }, map)
  const begun = await withFirstLines(pieces(text, size))
  const rows: SourceRow[][] = await Readable.from(jsonRows(begun, columns)).toArray()
  return rows.flat()
}

/** Line, id, name, latitude, longitude and notes, or line and fault. */
const shown = (rows: readonly SourceRow[]) =>
  rows.map(({ line, values, fault }) => (fault ? [line, fault.reason] : [line, ...values]))

const collection = (features: readonly object[], members: object = {}) =>
  JSON.stringify({ type: 'FeatureCollection', ...members, features })

const feature = (geometry: unknown, properties: unknown = { name: 'Pier' }, more: object = {}) => ({
  type: 'Feature',
  geometry,
  properties,
  ...more,
})
const PIER = { type: 'Point', coordinates: [-2.11, 49.18, 5] }

test('a record on each line: blank lines between them, and true line numbers', async () => {
  const text = '\n{"name":"Pier"}\n\r\n{"title":"Hill","lat":49.2}\r\n[1]\n{"name":"End"}'
  assert.deepEqual(shown(await read(text)), [
    [2, undefined, 'Pier', undefined, undefined, undefined],
    [4, undefined, 'Hill', 49.2, undefined, undefined],
    [5, 'is not an object with the fields of a record'],
    [6, undefined, 'End', undefined, undefined, undefined],
  ])
})

test('any records written one on a line are read as they were, however the text is cut', async () => {
  const value = fc.jsonValue({ maxDepth: 2 }).filter(one => one !== null && one !== '')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ name: fc.string({ minLength: 1 }), notes: value }), {
        minLength: 1,
        maxLength: 6,
      }),
      fc.integer({ min: 1, max: 60 }),
      async (records, size) => {
        const text = records.map(record => `${JSON.stringify(record)}\n`).join('')
        const rows = await read(text, { size })
        assert.deepEqual(
          rows.map(({ line, values }) => [line, values[1], values[4]]),
          JSON.parse(JSON.stringify(records)).map(
            ({ name, notes }: { name: string; notes: unknown }, at: number) => [at + 1, name, notes],
          ),
        )
      },
    ),
  )
})

test('one line that is a document is one: a list of results, a FeatureCollection with a name', async () => {
  assert.deepEqual(shown(await read('{"name":"all","results":[{"name":"Pier"}]}')), [
    [1, undefined, 'Pier', undefined, undefined, undefined],
  ])
  assert.equal((await read(collection([feature(null)], { name: 'toilets' }))).length, 1)
})

test('a feature is a record of its properties, its point and its id', async () => {
  const text = collection([
    feature(PIER, { name: 'Pier' }, { id: UUID }),
    feature(PIER, { name: 'Pier', id: UUID, latitude: 1, longitude: 2 }, { id: 'other' }),
    feature(null, { name: 'Hill', latitude: 49.2 }, { id: 17 }),
    feature(null, null, { id: 'toilets.17' }),
  ])
  assert.deepEqual(shown(await read(text)), [
    [1, UUID, 'Pier', 49.18, -2.11, undefined],
    [1, UUID, 'Pier', 49.18, -2.11, undefined],
    [1, undefined, 'Hill', 49.2, undefined, undefined],
    [1, undefined, undefined, undefined, undefined, undefined],
  ])
  const numbered = collection([feature(null, { name: 'Hill' }, { id: 17 })])
  assert.equal((await read(numbered, { record: NUMBERED }))[0]?.values[0], 17)
})

test('a mapped property takes precedence over the point', async () => {
  const text = collection([feature(PIER, { name: 'Pier', north: 49.2 })])
  assert.deepEqual(shown(await read(text, { map: { north: 'latitude' } })), [
    [1, undefined, 'Pier', 49.2, -2.11, undefined],
  ])
})

test('features on lines of their own, and members in any order', async () => {
  const lines = [feature(PIER), feature(null)].map(one => JSON.stringify(one)).join('\n')
  assert.deepEqual(
    (await read(lines)).map(({ line, values }) => [line, values[2]]),
    [
      [1, 49.18],
      [2, undefined],
    ],
  )
  const sorted = `{"crs":null,"features":[${lines.replace('\n', ',')}],"type":"FeatureCollection"}`
  assert.equal((await read(sorted)).length, 2)
})

test('a feature that cannot be a record is rejected with the reason', async () => {
  const line = {
    type: 'LineString',
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  }
  const rows = await read(
    collection([
      feature(line),
      feature({ type: 'Point', coordinates: [] }),
      feature({ type: 'Point', coordinates: ['-2.1', '49.2'] }),
      feature(7),
      feature(null, 'Pier'),
      { name: 'Pier' },
    ]),
  )
  assert.deepEqual(
    rows.map(({ fault }) => fault?.reason),
    [
      'has the geometry LineString; a record can only have a Point, or null',
      'has a Point without a longitude and a latitude',
      'has a Point without a longitude and a latitude',
      'has the geometry undefined; a record can only have a Point, or null',
      'has properties that are not an object',
      'is not a GeoJSON feature',
    ],
  )
})

test('WGS 84 by any of its names, and no other system', async () => {
  const inSystem = (crs: unknown) => read(collection([feature(PIER)], { crs }))
  for (const name of [
    'urn:ogc:def:crs:OGC:1.3:CRS84',
    'urn:ogc:def:crs:EPSG::4326',
    'EPSG:4326',
    'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
    'http://www.opengis.net/def/crs/EPSG/0/4326',
  ])
    assert.equal((await inSystem({ type: 'name', properties: { name } })).length, 1, name)
  assert.equal((await inSystem({ type: 'EPSG', properties: { code: 4326 } })).length, 1)
  assert.equal((await inSystem(null)).length, 1)
  for (const [crs, system] of [
    [{ type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::3109' } }, /urn:ogc:def:crs:EPSG::3109/],
    [{ type: 'name', properties: { name: 'EPSG:14326' } }, /EPSG:14326/],
    [{ type: 'EPSG', properties: { code: 27700 } }, /EPSG:27700/],
    [{ type: 'link', properties: { href: 'x' } }, /link/],
  ] as const)
    await assert.rejects(inSystem(crs), { name: 'Refusal', message: system })
})

test('a document of another shape is refused', async () => {
  const shape = { name: 'Refusal', message: /must be a list of records, .* or a GeoJSON FeatureCollection/ }
  await assert.rejects(read('{"error":"not found"}'), shape)
  await assert.rejects(read('{"features":[{"type":"Feature","properties":{}}]}'), shape)
  await assert.rejects(read('{"type":"Topology","objects":{}}'), shape)
  await assert.rejects(read('{"results":[],\n"features":[]}'), {
    message: /line 2: "results" and "features" are both lists/,
  })
  await assert.rejects(read(`{"name":"Pier"}\n{"name":${'['.repeat(200)}`), {
    message: /line 2: values are nested more than 100 deep/,
  })
})
