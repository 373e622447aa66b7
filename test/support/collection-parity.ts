import assert from 'node:assert/strict'
import { type TestContext, type TestOptions, test } from 'node:test'
import fc from 'fast-check'
import type { TableLayout } from '../../src/query/layout.ts'
import type { Collection, CountQuery, Filter, Query, StoredRecord } from '../../src/query/query.ts'
import { manyVehicles } from './many-vehicles.ts'
import { VEHICLES, vehicles } from './stored-vehicles.ts'
import { counted, countQuery, executed, filters, model, query, record } from './table-cases.ts'

/** Opens records as collections that must all give the same results. */
export type OpenCollections = (
  records: readonly StoredRecord[],
  layout?: TableLayout,
) => Promise<readonly Collection[]>

export interface ParityOptions extends TestOptions {
  readonly open: (t: TestContext) => Promise<OpenCollections>
  /** How many lists of records are opened. */
  readonly lists: number
}

type Case = readonly [Query, CountQuery]

const results = (collection: Collection, [query, count]: Case) =>
  Promise.all([executed(collection, query), counted(collection, count)])

/** Columns in other orders, and without some kinds. */
const LAYOUTS = [
  ['hash', 'firstRegisteredInJerseyAt', 'make'],
  ['cylinderCapacity', 'firstRegisteredAt', 'firstRegisteredInJerseyAt'],
  ['firstRegisteredInJerseyAt'],
  ['firstRegisteredInJerseyAt', 'hash'],
]

/** Tests that collections of vehicles give the results of a plain list. */
export function compareWithModel(name: string, { open, lists, ...options }: ParityOptions): void {
  test(`${name}: every kind of query gives the results of a plain list`, options, async t => {
    const opened = await open(t)
    const cases = fc.tuple(
      fc.array(record, { maxLength: 40 }),
      fc.array(fc.tuple(query(), countQuery(filters)), { minLength: 40, maxLength: 40 }),
    )
    await fc.assert(
      fc.asyncProperty(cases, async ([records, queries]) => {
        const collections = await opened(records)
        const plain = model(records)
        for (const queried of queries) {
          const expected = [plain.execute(queried[0]), plain.count(queried[1])]
          for (const one of collections) assert.deepEqual(await results(one, queried), expected)
        }
      }),
      { numRuns: lists },
    )
  })

  test(
    `${name}: thousands of rows are searched, sorted, projected and grouped as a plain list`,
    options,
    async t => {
      const opened = await open(t)
      const records = vehicles(9000)
      const collections = await opened(records)
      const plain = model(records)
      await fc.assert(
        fc.asyncProperty(largeCase, async queried => {
          const expected = [plain.execute(queried[0]), plain.count(queried[1])]
          for (const one of collections) assert.deepEqual(await results(one, queried), expected)
        }),
        { numRuns: 100 },
      )
    },
  )

  test(`${name}: rows of uneven frequency are found as in a plain list, however deep`, options, async t => {
    const opened = await open(t)
    const records = manyVehicles(20_000)
    const collections = await opened(records)
    const plain = model(records)
    await fc.assert(
      fc.asyncProperty(unevenCase, async queried => {
        const expected = [plain.execute(queried[0]), plain.count(queried[1])]
        for (const one of collections) assert.deepEqual(await results(one, queried), expected)
      }),
      { numRuns: 60 },
    )
  })

  for (const names of LAYOUTS)
    test(`${name}: a table of ${names.join(', ')} gives the results of a plain list`, options, async t => {
      const opened = await open(t)
      const layout = {
        ...VEHICLES,
        columns: names.flatMap(name => VEHICLES.columns.filter(one => one.name === name)),
      }
      const records = vehicles(200).map(all => Object.fromEntries(names.map(name => [name, all[name]])))
      const filterLists: Filter[][] = [[], [{ field: layout.newestFirstBy, from: '1990-01-01' }]]
      for (const collection of await opened(records, layout))
        for (const filters of filterLists) {
          const page = { filters, offset: 3, limit: 100 }
          assert.deepEqual(await executed(collection, page), model(records).execute(page))
        }
    })

  test(`${name}: pages hold every record once, and a page past the end is empty`, options, async t => {
    const opened = await open(t)
    const records = vehicles(2500)
    for (const collection of await opened(records))
      for (const filters of [[], [{ field: 'make', contains: 'r' }]]) {
        const whole = model(records).execute({ filters })
        const pages: string[] = []
        for (let offset = 0; offset < whole.total; offset += 130)
          pages.push((await executed(collection, { filters, offset, limit: 130 })).json)
        assert.equal(pages.join(','), whole.json)
        for (const offset of [whole.total, 1e15])
          assert.deepEqual(await executed(collection, { filters, offset, limit: 1000 }), {
            total: whole.total,
            json: '',
          })
      }
  })

  test(
    `${name}: a query that a field does not support is refused, and the next is executed`,
    options,
    async t => {
      const opened = await open(t)
      const ford: Filter = { field: 'make', contains: 'ford' }
      for (const table of await opened(vehicles(300))) {
        for (const filter of WRONG) {
          await assert.rejects(
            async () => table.execute({ filters: [ford, filter], offset: 0, limit: 1 }),
            RangeError,
          )
          await assert.rejects(
            async () => table.count({ by: ['color'], filters: [ford, filter] }),
            RangeError,
          )
        }
        for (const key of ['nothing', { field: 'make', part: 'year' } as const])
          await assert.rejects(async () => table.count({ by: [key] }), RangeError)
        for (const field of ['make', 'nothing', 'firstRegisteredAt'])
          await assert.rejects(async () => table.count({ by: ['color'], of: [field] }), RangeError)
        for (const wrong of [
          { fields: ['nothing'] },
          { sort: [{ field: 'x', direction: 'ascending' }] } as const,
        ])
          await assert.rejects(async () => table.execute(wrong), RangeError)
        const lancia: Filter = { field: 'make', contains: 'lancia' }
        assert.deepEqual(await executed(table, { offset: 60, filters: [lancia] }), { total: 60, json: '' })
        const text: Filter = { field: 'cylinderCapacity', equals: '1' }
        assert.deepEqual(await executed(table, { filters: [text] }), { total: 0, json: '' })
        const near = { latitude: 49.2, longitude: -2.1 }
        await assert.rejects(async () => table.execute({ place: { near } }), RangeError)
        await assert.rejects(async () => table.count({ by: ['make'], place: { near } }), RangeError)
      }
    },
  )
}

const WRONG: readonly Filter[] = [
  { field: 'nothing', contains: 'x' },
  { field: 'hash', contains: 'x' },
  { field: 'cylinderCapacity', contains: '1' },
  { field: 'firstRegisteredAt', contains: '1' },
  { field: 'firstRegisteredAt', equals: '2024-01-01' },
  { field: 'make', from: '2024-01-01' },
  { field: 'hash' },
  { field: 'firstRegisteredAt', from: '2023-02-30' },
  { field: 'firstRegisteredInJerseyAt', to: 'today' },
  { words: 'x', fields: ['make', 'nothing'] },
  { words: 'x', fields: ['hash'] },
]

const day = fc
  .integer({ min: 2900, max: 13_100 })
  .map(days => new Date(days * 86_400_000).toISOString().slice(0, 10))
const range = fc.record(
  { field: fc.constantFrom('firstRegisteredAt', 'firstRegisteredInJerseyAt'), from: day, to: day },
  { requiredKeys: ['field'] },
)
const deepPages = { offset: fc.oneof(fc.nat(100), fc.nat(9500)), limit: fc.nat(60) }

/** Longer pages are streamed by some, which have no text as a whole. */
function caseOf(filters: fc.Arbitrary<Filter[]>): fc.Arbitrary<Case> {
  const page = query(filters, deepPages).map(found => ({ limit: 1000, ...found }))
  return fc.tuple(page, countQuery(filters))
}

const text = fc.constantFrom('', 'o', 'ford', 'n', 'model 1', 'model 11', '9', 'blue', 'e', 'petrol', 'zzz')
const largeFilters: fc.Arbitrary<Filter[]> = fc.array(
  fc.oneof(
    fc.record({ field: fc.constantFrom('make', 'model', 'color', 'fuelType'), contains: text }),
    fc.record({ field: fc.constantFrom('model', 'color'), equals: fc.oneof(text, fc.array(text)) }),
    fc.record({
      words: fc.array(text, { maxLength: 3 }).map(some => some.join(' ')),
      fields: fc.subarray(['make', 'model', 'color'], { minLength: 1 }),
    }),
    fc.nat(9200).map(n => ({ field: 'hash', equals: n.toString(16).padStart(64, '0') })),
    range,
  ),
  { maxLength: 4 },
)
const largeCase = caseOf(largeFilters)

const unevenFilters: fc.Arbitrary<Filter[]> = fc.array(
  fc.oneof(
    fc.constantFrom<Filter>(
      { field: 'make', contains: 'ford' },
      { field: 'make', equals: 'Citroen' },
      { field: 'make', contains: 'make 3' },
      { field: 'make', equals: 'Once' },
      { field: 'model', contains: 'fiesta' },
      { field: 'model', contains: 'e' },
      { field: 'model', contains: '1.4 zetec' },
      { field: 'model', equals: 'FIESTA 77' },
      { field: 'model', contains: 'fiesta\nfiesta' },
      { field: 'model', equals: '' },
      { words: 'zetec ford', fields: ['make', 'model'] },
      { words: '77 fiesta', fields: ['make', 'model'] },
      { field: 'color', contains: 'r' },
      { field: 'fuelType', equals: 'petrol' },
      { field: 'cylinderCapacity', from: 1000, to: 1400 },
    ),
    range,
  ),
  { maxLength: 3 },
)
const unevenCase = caseOf(unevenFilters)
