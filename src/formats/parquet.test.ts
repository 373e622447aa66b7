import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parquetMetadata } from 'hyparquet'
import Type, { type TObject } from 'typebox'
import { parquetRecords } from '../../test/support/parquet.ts'
import * as field from '../datasets/fields.ts'
import { Toilet } from '../datasets/toilets/schema.ts'
import { batchOf, type StoredRecord } from '../query/query.ts'
import { writeRecords } from './format.ts'
import { parquet } from './parquet.ts'

const about = { description: '' }
const Boat = Type.Object({
  name: field.text(about),
  hash: field.text({ ...about, pattern: '^[0-9a-f]{64}$' }),
  length: field.nullableNumber(about),
  crew: field.integer(about),
  isMoored: field.flag(about),
  builtAt: field.nullableDate(about),
  seenAt: field.timestamp(about),
  flags: field.enumerationList(['A', 'B'], about),
  owner: field.nullableOwner(),
})

const boat = (number: number): StoredRecord => ({
  name: `Étoile ${number}`,
  hash: number.toString(16).padStart(64, '0'),
  length: number % 3 === 0 ? null : number / 4,
  crew: number * 1_000_003,
  isMoored: number % 2 === 0,
  builtAt: number % 5 === 0 ? null : '1948-09-13T00:00:00.000Z',
  seenAt: '2024-06-06T23:00:00.123Z',
  flags: number % 2 === 0 ? [] : ['A', 'B'],
  owner: number % 7 === 0 ? null : { id: null, name: `Owner ${number}` },
})
const boats = (count: number) => Array.from({ length: count }, (_, number) => boat(number))

/** The columns of a file, each with the metadata of its type. */
function typesOf(bytes: Buffer) {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
  const [, ...elements] = parquetMetadata(file).schema
  return elements.map(({ name, type, converted_type, logical_type, repetition_type }) =>
    [name, type, converted_type ?? logical_type?.type, repetition_type].filter(Boolean).join(' '),
  )
}

const write = (records: readonly StoredRecord[], schema: TObject = Boat) =>
  writeRecords(parquet, records, schema)

test('columns have the types of their fields; those that may be null are optional', async () => {
  assert.deepEqual(typesOf(await write([])), [
    'name BYTE_ARRAY UTF8 REQUIRED',
    'hash BYTE_ARRAY UTF8 REQUIRED',
    'length DOUBLE OPTIONAL',
    'crew INT64 REQUIRED',
    'isMoored BOOLEAN REQUIRED',
    'builtAt INT32 DATE OPTIONAL',
    'seenAt INT64 TIMESTAMP_MILLIS REQUIRED',
    'flags LIST REQUIRED',
    'list REPEATED',
    'element BYTE_ARRAY UTF8 REQUIRED',
    'owner.id BYTE_ARRAY UTF8 OPTIONAL',
    'owner.name BYTE_ARRAY UTF8 OPTIONAL',
  ])
})

test('any number of records is read back, over several row groups', async () => {
  for (const count of [0, 1, 4000, 8001]) {
    const records = boats(count)
    assert.deepEqual(await parquetRecords(await write(records), Boat), records)
  }
})

test('an object that is null and one of which nothing is known are told apart', async () => {
  const unknown = { cubicles: null, handDryers: null, sinks: null, periodProducts: [] }
  const toilet = { facilities: [], owner: { id: null, name: null }, latitude: 49.2, buildDate: 1998 }
  const texts = { id: 'a', createdAt: '2024-07-01T13:01:56.000Z', name: 'b', parish: 'c', tenure: null }
  const record = { ...texts, ...toilet, longitude: null, female: unknown, male: null }
  const [read] = await parquetRecords(await write([record], Toilet), Toilet)
  assert.deepEqual(read, record)
})

/** The metadata of the row groups. */
function groupsOf(bytes: Buffer) {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
  const { num_rows, row_groups } = parquetMetadata(file)
  return { num_rows, row_groups }
}

test('a row group has all columns, their sizes, and the least and greatest values but of fingerprints', async () => {
  const { num_rows, row_groups } = groupsOf(await write(boats(9000)))
  assert.equal(num_rows, 9000n)
  assert.deepEqual(
    row_groups.map(group => group.num_rows),
    [4096n, 4096n, 808n],
  )
  for (const { columns, total_byte_size, total_compressed_size } of row_groups) {
    const names = columns.map(({ meta_data }) => meta_data?.path_in_schema[0])
    assert.deepEqual(names, [
      ...['name', 'hash', 'length', 'crew', 'isMoored', 'builtAt', 'seenAt', 'flags'],
      ...['owner.id', 'owner.name'],
    ])
    const sizes = columns.map(({ meta_data }) => meta_data?.total_compressed_size ?? 0n)
    assert.equal(
      total_compressed_size,
      sizes.reduce((sum, size) => sum + size),
    )
    assert.equal(total_byte_size, total_compressed_size)
    const known = columns.filter(({ meta_data }) => meta_data?.statistics !== undefined)
    assert.equal(known.length, columns.length - 1)
    assert.equal(columns[1]?.meta_data?.statistics, undefined)
  }
})

test('the same records give the same bytes, however they are batched, in a step for each batch and each column', async () => {
  const records = boats(8500)
  const expected = await write(records)
  for (const length of [1, 500, 8500]) {
    async function* batches() {
      for (let at = 0; at < records.length; at += length) yield batchOf(records.slice(at, at + length))
    }
    const chunks: Buffer[] = []
    for await (const chunk of parquet.write(batches(), Boat)) chunks.push(chunk)
    const [columns, footer] = [3 * 10, 1]
    const steps = chunks.filter(chunk => chunk.length === 0)
    assert.equal(steps.length, records.length / length + columns)
    assert.equal(chunks.length - steps.length, columns + footer)
    assert.ok(Buffer.concat(chunks).equals(expected))
  }
  assert.ok((await write(records)).equals(expected))
})

test('a group is encoded as a whole before any of it is sent, and the next one when that is sent', async () => {
  let read = 0
  async function* batches() {
    for (; read < 12_000; read += 500) yield batchOf(boats(500))
  }
  const sent: Buffer[] = []
  for await (const chunk of parquet.write(batches(), Boat)) {
    if (chunk.length > 0) sent.push(chunk)
    else assert.ok([0, 10, 20].includes(sent.length), `a step after ${sent.length} columns`)
  }
  assert.equal(sent.length, 31)
})
