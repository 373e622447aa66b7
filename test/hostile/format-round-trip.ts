import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import Type, { type TObject } from 'typebox'
import { Vehicle } from '../../src/datasets/vehicles/schema.ts'
import { type FlatColumn, flatColumnsOf } from '../../src/query/layout.ts'
import { parquetRecords } from '../support/parquet.ts'
import { build, type TestApp } from '../support/service.ts'
import { queryString, randomVehicles } from './random-queries.ts'
import { type ModelVehicle, VEHICLE_PARAMETERS } from './vehicles-model.ts'

/*
 * The same random query in every format. Each is read back by a reader that is not ours, a value by the declared type of its
 * field alone, and must equal the JSON of the query.
 */

/** More than are sent in one piece, and than one row group of Parquet holds. */
const VEHICLES = 2100

/** What formats and spreadsheets are known to change. */
const AWKWARD = [
  '=1+1',
  '@SUM(A1)',
  "'=x",
  "''",
  '0012',
  '1-2',
  '1E5',
  'TRUE',
  'null',
  'a"b',
  'a\nb',
  'a\r\nb',
  ';|',
  '[]',
]

const vehiclesOf = (seed: number): ModelVehicle[] =>
  randomVehicles(seed, VEHICLES).map((vehicle, index) =>
    index % 3 === 0 ? { ...vehicle, model: AWKWARD[(index / 3) % AWKWARD.length] ?? '' } : vehicle,
  )

const FIELDS = Object.keys(Vehicle.properties)
const PAGING = /(^|&)(page|limit|cursor|fields|format|pretty|bom)=/i
const FILTERS = VEHICLE_PARAMETERS.filter(name => name !== 'page' && name !== 'limit')

/** A way to ask for a format: suffix, parameter or header. */
const WAYS = ['suffix', 'parameter', 'header'] as const
const MEDIA_TYPES = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
}
type OtherFormat = keyof typeof MEDIA_TYPES

const question = fc.record({
  query: queryString(FILTERS).filter(text => !PAGING.test(text)),
  fields: fc.option(fc.subarray(FIELDS, { minLength: 1 }), { freq: 2 }),
  page: fc.option(
    fc.record({ page: fc.integer({ min: 1, max: 9 }), limit: fc.integer({ min: 1, max: 1500 }) }),
    { freq: 2 },
  ),
  /** In which pages the JSON of a whole list is read. */
  pageLength: fc.constantFrom(499, 1000, 1001, 5000),
  way: fc.constantFrom(...WAYS),
})

type Row = Readonly<Record<string, unknown>>

/** Sends random queries for vehicles in each format until so many valid ones are compared. The same seed gives the same ones. */
export async function compareFormats(
  t: TestContext,
  options: { readonly queries: number; readonly seed?: number; readonly tableEngine: 'memory' | 'sql' },
): Promise<void> {
  const { queries, seed = Math.floor(Math.random() * 2 ** 31), tableEngine } = options
  const vehicles = vehiclesOf(seed)
  const environment = { VEHICLES_RATE_LIMIT: '0', TABLE_ENGINE: tableEngine }
  const { app } = await build(t, { vehicles }, { environment })
  let [filled, records] = [0, 0]
  const property = fc.asyncProperty(question, async ({ query, fields, page, pageLength, way }) => {
    const shown = fields === null ? query : `${query}&fields=${fields.join(',')}`
    const paged = page === null ? shown : `${shown}&page=${page.page}&limit=${page.limit}`
    const results =
      page === null ? await everyPage(app, shown, pageLength) : await onePage(app, `/v1/vehicles?${paged}`)
    const others = await inEveryFormat(app, paged, way)
    if (typeof results === 'number') {
      for (const { statusCode } of Object.values(others)) assert.equal(statusCode, results)
      return fc.pre(false)
    }
    const schema = Type.Pick(Vehicle, fields ?? FIELDS) as TObject
    assert.deepEqual(ndjsonRecords(others.ndjson.body), results, 'NDJSON')
    assert.deepEqual(csvRecords(others.csv.body, schema), results, 'CSV')
    assert.deepEqual(await parquetRecords(others.parquet.rawPayload, schema), results, 'Parquet')
    filled += results.length > 0 ? 1 : 0
    records += results.length
  })
  await fc.assert(property, { seed, numRuns: queries })
  t.diagnostic(`seed ${seed}: ${filled} of ${queries} queries found ${records} vehicles`)
  assert.ok(filled > queries / 4, 'queries that find nothing prove nothing')
}

async function inEveryFormat(app: TestApp, query: string, way: (typeof WAYS)[number]) {
  const ask = (format: OtherFormat) => {
    if (way === 'suffix') return app.inject(`/v1/vehicles.${format}?${query}`)
    if (way === 'parameter') return app.inject(`/v1/vehicles?${query}&format=${format}`)
    return app.inject({ url: `/v1/vehicles?${query}`, headers: { accept: MEDIA_TYPES[format] } })
  }
  return { csv: await ask('csv'), ndjson: await ask('ndjson'), parquet: await ask('parquet') }
}

/** The results of a page of JSON, or the status where there is none. */
async function onePage(app: TestApp, url: string): Promise<readonly Row[] | number> {
  const { statusCode, body } = await app.inject(url)
  return statusCode === 200 ? JSON.parse(body).results : statusCode
}

/** The results of all pages of JSON; each but the last is full. */
async function everyPage(app: TestApp, query: string, limit: number): Promise<readonly Row[] | number> {
  const read: Row[] = []
  for (let page = 1; ; page++) {
    const { statusCode, body } = await app.inject(`/v1/vehicles?${query}&page=${page}&limit=${limit}`)
    if (statusCode !== 200) return statusCode
    const { pagination, results } = JSON.parse(body)
    read.push(...results)
    if (page < pagination.totalPages) continue
    assert.equal(read.length, pagination.totalItems)
    return read
  }
}

const ndjsonRecords = (text: string): Row[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))

/** The records of a CSV, by its header and the types of the fields. */
function csvRecords(text: string, schema: TObject): Row[] {
  const columns = flatColumnsOf(schema)
  const [header, ...rows] = parse(text) as string[][]
  assert.deepEqual(
    header,
    columns.map(({ name }) => name),
  )
  return rows.map(row =>
    Object.fromEntries(columns.map((column, index) => [column.name, typedValue(row[index] ?? '', column)])),
  )
}

function typedValue(cell: string, { kind, isNullable, name }: FlatColumn): unknown {
  if (isNullable && cell === '') return null
  if (kind === 'number') {
    assert.match(cell, /^-?\d+(\.\d+)?$/, name)
    return Number(cell)
  }
  // The apostrophe before what a spreadsheet would run.
  return cell.replace(/^'(?='*[=+\-@\t\r＝＋－＠])/, '')
}
