import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type BuildOptions, buildColumnarTable, type Sizes } from '../../src/columnar/build/build-table.ts'
import type { ColumnarTable } from '../../src/columnar/columnar-table.ts'
import type { Collection } from '../../src/query/collection.ts'
import type { CountQuery, Filter, Query } from '../../src/query/query.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { OpenRelease } from '../../src/store/store.ts'
import type { TestedEngine } from './store-engines.ts'
import { publishAll, VEHICLES, vehicles } from './stored-vehicles.ts'
import {
  type Capabilities,
  counted,
  countQuery,
  executed,
  filters,
  model,
  query,
  record,
} from './table-cases.ts'

/** The capabilities of the store's tables, with which a columnar table is compared besides the plain list. */
const CAPABILITIES: Capabilities = {}

/** So small that few rows fill many blocks and chunks, and every text is searched by its trigrams. */
const SMALL: Sizes = { blockShift: 1, chunkShift: 2, minIndexedText: 0, minCovering: 0 }

/** The tables that a release can be loaded into: rows prerendered and assembled, sizes small and usual. */
export async function tablesOf({ release, scan }: OpenRelease, layout = VEHICLES): Promise<ColumnarTable[]> {
  assert.ok(scan)
  const build = (options: BuildOptions) => buildColumnarTable(scan, layout, release.rows, options)
  const prerendered = await build({ prerenderBytes: 2 ** 30, sizes: SMALL })
  const assembled = await build({ prerenderBytes: 0, sizes: SMALL })
  const usual = await build({ prerenderBytes: 2 ** 30 })
  assert.equal(prerendered.isPrerendered, true)
  assert.equal(assembled.isPrerendered, release.rows === 0)
  return [prerendered, assembled, usual]
}

export type Case = readonly [Query, CountQuery]

export const results = (table: Collection, [query, count]: Case) =>
  Promise.all([executed(table, query), counted(table, count)])

/** Columns in other orders, and without some kinds. */
const LAYOUTS = [
  ['hash', 'firstRegisteredInJerseyAt', 'make'],
  ['cylinderCapacity', 'firstRegisteredAt', 'firstRegisteredInJerseyAt'],
  ['firstRegisteredInJerseyAt'],
  ['firstRegisteredInJerseyAt', 'hash'],
]

/** Compares columnar tables with an engine's store, and with a plain list. */
export function compareWithStore(engine: TestedEngine): void {
  test(`${engine.name}: a columnar table gives the results of the store, and of a plain list`, async t => {
    const store = await openStore(await engine.emptyStore(t))
    t.after(() => store.close())
    const some = filters(CAPABILITIES)
    const cases = fc.tuple(
      fc.array(record, { maxLength: 40 }),
      fc.array(fc.tuple(query(CAPABILITIES), countQuery(CAPABILITIES, some)), {
        minLength: 12,
        maxLength: 12,
      }),
    )
    await fc.assert(
      fc.asyncProperty(cases, async ([records, queries]) => {
        const opened = await store.releases.open(
          await publishAll(store, 'vehicles', VEHICLES, records),
          VEHICLES,
        )
        const { table } = opened
        assert.ok(table)
        const loaded = await tablesOf(opened)
        const plain = model(records)
        for (const queried of queries) {
          const expected = await results(table, queried)
          assert.deepEqual(expected, [plain.execute(queried[0]), plain.count(queried[1])])
          for (const one of loaded) assert.deepEqual(await results(one, queried), expected)
        }
        await opened.close()
      }),
      { numRuns: 60 },
    )
  })

  test(`${engine.name}: a columnar table of thousands of rows gives the results of the store`, async t => {
    const store = await openStore(await engine.emptyStore(t))
    t.after(() => store.close())
    const opened = await store.releases.open(
      await publishAll(store, 'vehicles', VEHICLES, vehicles(9000)),
      VEHICLES,
    )
    const { table } = opened
    assert.ok(table)
    const loaded = await tablesOf(opened)
    await fc.assert(
      fc.asyncProperty(largeCase(CAPABILITIES), async ([query, count]) => {
        // The results of all rows are compared with the plain list, below.
        const queried: Case = [{ limit: 60, ...query }, count]
        const expected = await results(table, queried)
        for (const one of loaded) assert.deepEqual(await results(one, queried), expected)
      }),
      { numRuns: 600 },
    )
    await opened.close()
  })

  for (const names of LAYOUTS)
    test(`${engine.name}: a columnar table of ${names.join(', ')} gives the results of the store`, async t => {
      const layout = {
        ...VEHICLES,
        columns: names.flatMap(name => VEHICLES.columns.filter(one => one.name === name)),
      }
      const records = vehicles(200).map(all => Object.fromEntries(names.map(name => [name, all[name]])))
      const store = await openStore(await engine.emptyStore(t))
      t.after(() => store.close())
      const opened = await store.releases.open(await publishAll(store, 'vehicles', layout, records), layout)
      assert.ok(opened.table)
      const filterLists: Filter[][] = [[], [{ field: layout.newestFirstBy, from: '1990-01-01' }]]
      for (const loaded of await tablesOf(opened, layout))
        for (const filters of filterLists) {
          const page = { filters, offset: 3, limit: 100 }
          assert.deepEqual(await executed(loaded, page), await executed(opened.table, page))
        }
      await opened.close()
    })

  test(`${engine.name}: a columnar table refuses the queries that the store refuses, and executes the next`, async t => {
    const store = await openStore(await engine.emptyStore(t))
    t.after(() => store.close())
    const opened = await store.releases.open(
      await publishAll(store, 'vehicles', VEHICLES, vehicles(300)),
      VEHICLES,
    )
    const ford: Filter = { field: 'make', contains: 'ford' }
    const wrong: Filter[] = [
      { field: 'nothing', contains: 'x' },
      { field: 'hash', contains: 'x' },
      { field: 'cylinderCapacity', contains: '1' },
      { field: 'firstRegisteredAt', contains: '1' },
      { field: 'make', from: '2024-01-01' },
      { field: 'hash' },
      { field: 'firstRegisteredAt', from: '2023-02-30' },
      { field: 'firstRegisteredInJerseyAt', to: 'today' },
      { words: 'x', fields: ['make', 'nothing'] },
      { words: 'x', fields: ['hash'] },
    ]
    for (const table of [opened.table, ...(await tablesOf(opened))]) {
      assert.ok(table)
      for (const filter of wrong) {
        await assert.rejects(
          async () => table.execute({ filters: [ford, filter], offset: 0, limit: 1 }),
          RangeError,
        )
        await assert.rejects(async () => table.count({ by: ['color'], filters: [ford, filter] }), RangeError)
      }
      for (const key of ['nothing', { field: 'make', part: 'year' } as const])
        await assert.rejects(async () => table.count({ by: [key] }), RangeError)
      const pastEnd = { offset: 1e15, limit: 9 }
      const lancia: Filter = { field: 'make', contains: 'lancia' }
      assert.deepEqual(await executed(table, { ...pastEnd, filters: [lancia] }), { total: 60, json: '' })
      assert.deepEqual(await executed(table, pastEnd), { total: 300, json: '' })
      const text: Filter = { field: 'cylinderCapacity', equals: '1' }
      assert.deepEqual(await executed(table, { filters: [text] }), { total: 0, json: '' })
      const near = { latitude: 49.2, longitude: -2.1 }
      await assert.rejects(async () => table.execute({ place: { near } }), RangeError)
    }
    await opened.close()
  })
}

const day = fc
  .integer({ min: 2900, max: 13_100 })
  .map(days => new Date(days * 86_400_000).toISOString().slice(0, 10))
const text = fc.constantFrom('', 'o', 'ford', 'n', 'model 1', 'model 11', '9', 'blue', 'e', 'petrol', 'zzz')
const largeFilters: fc.Arbitrary<Filter[]> = fc.array(
  fc.oneof(
    fc.record({ field: fc.constantFrom('make', 'model', 'color', 'fuelType'), contains: text }),
    fc.record({ field: fc.constantFrom('model', 'color'), equals: text }),
    fc.record({
      words: fc.array(text, { maxLength: 3 }).map(some => some.join(' ')),
      fields: fc.subarray(['make', 'model', 'color'], { minLength: 1 }),
    }),
    fc.nat(9200).map(n => ({ field: 'hash', equals: n.toString(16).padStart(64, '0') })),
    fc.record(
      { field: fc.constantFrom('firstRegisteredAt', 'firstRegisteredInJerseyAt'), from: day, to: day },
      { requiredKeys: ['field'] },
    ),
  ),
  { maxLength: 4 },
)
export const largeCase = (capabilities: Capabilities): fc.Arbitrary<Case> =>
  fc.tuple(
    query(capabilities, largeFilters, { offset: fc.oneof(fc.nat(100), fc.nat(9500)), limit: fc.nat(60) }),
    countQuery(capabilities, largeFilters),
  )
