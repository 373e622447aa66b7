import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ENGINES } from '../../test/support/store-engines.ts'
import { publishAll, VEHICLES, vehicles } from '../../test/support/stored-vehicles.ts'
import {
  type Capabilities,
  countQuery,
  executed,
  filters,
  model,
  query,
  record,
} from '../../test/support/table-cases.ts'
import type { Collection } from '../query/collection.ts'
import type { CountQuery, Filter, Query } from '../query/query.ts'
import { openStore } from '../store/open-store.ts'
import type { OpenRelease } from '../store/store.ts'
import { buildRegister, type Sizes } from './build/build-table.ts'
import type { Register } from './columnar-table.ts'

/** What a columnar table can do, and the store's tables with which it is compared. */
const CAPABILITIES: Capabilities = {}

/** So small that few rows fill many blocks and chunks, and every text is searched by its grams. */
const SMALL: Sizes = { blockShift: 1, chunkShift: 2, gramsFrom: 0, besideFrom: 0 }

/** The registers that a release can be held in: rows ready and not, sizes small and not. */
async function registersOf({ release, contents }: OpenRelease, layout = VEHICLES): Promise<Register[]> {
  assert.ok(contents)
  const ready = await buildRegister(contents, layout, release.rows, { readyBytes: 2 ** 30, sizes: SMALL })
  const loose = await buildRegister(contents, layout, release.rows, { readyBytes: 0, sizes: SMALL })
  const usual = await buildRegister(contents, layout, release.rows, { readyBytes: 2 ** 30 })
  assert.equal(ready.hasReadyRows, true)
  assert.equal(loose.hasReadyRows, release.rows === 0)
  return [ready, loose, usual]
}

type Case = readonly [Query, CountQuery]

const results = (table: Collection, [query, count]: Case) =>
  Promise.all([executed(table, query), table.count(count)])

/** Columns in other orders, and without some kinds. */
const LAYOUTS = [
  ['hash', 'firstRegisteredInJerseyAt', 'make'],
  ['cylinderCapacity', 'firstRegisteredAt', 'firstRegisteredInJerseyAt'],
  ['firstRegisteredInJerseyAt'],
  ['firstRegisteredInJerseyAt', 'hash'],
]

for (const engine of ENGINES) {
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
        const registers = await registersOf(opened)
        const plain = model(records)
        for (const one of queries) {
          const expected = await results(table, one)
          assert.deepEqual(expected, [plain.execute(one[0]), plain.count(one[1])])
          for (const register of registers) assert.deepEqual(await results(register, one), expected)
        }
        await opened.close()
      }),
      { numRuns: 150 },
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
    const registers = await registersOf(opened)
    await fc.assert(
      fc.asyncProperty(largeCase, async one => {
        const expected = await results(table, one)
        for (const register of registers) assert.deepEqual(await results(register, one), expected)
      }),
      { numRuns: 2000 },
    )
    await opened.close()
  })

  for (const names of LAYOUTS)
    test(`${engine.name}: a register of ${names.join(', ')} gives what the store does`, async t => {
      const layout = {
        ...VEHICLES,
        columns: names.flatMap(name => VEHICLES.columns.filter(one => one.name === name)),
      }
      const records = vehicles(200).map(all => Object.fromEntries(names.map(name => [name, all[name]])))
      const store = await openStore(await engine.emptyStore(t))
      t.after(() => store.close())
      const opened = await store.releases.open(await publishAll(store, 'vehicles', layout, records), layout)
      assert.ok(opened.table)
      const questions: Filter[][] = [[], [{ field: layout.newestFirstBy, from: '1990-01-01' }]]
      for (const register of await registersOf(opened, layout))
        for (const filters of questions) {
          const page = { filters, offset: 3, limit: 100 }
          assert.deepEqual(await executed(register, page), await executed(opened.table, page))
        }
      await opened.close()
    })

  test(`${engine.name}: a register refuses the questions that the store refuses, and answers the next`, async t => {
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
      { field: 'cylinderCapacity', equals: '1' },
      { field: 'firstRegisteredAt', contains: '1' },
      { field: 'make', from: '2024-01-01' },
      { field: 'hash' },
      { field: 'firstRegisteredAt', from: '2023-02-30' },
      { field: 'firstRegisteredInJerseyAt', to: 'today' },
    ]
    for (const table of [opened.table, ...(await registersOf(opened))]) {
      assert.ok(table)
      for (const filter of wrong) {
        await assert.rejects(
          async () => table.execute({ filters: [ford, filter], offset: 0, limit: 1 }),
          RangeError,
        )
        await assert.rejects(async () => table.count({ by: ['color'], filters: [ford, filter] }), RangeError)
      }
      for (const column of ['hash', 'nothing', 'firstRegisteredAt', 'cylinderCapacity'])
        await assert.rejects(async () => table.count({ by: [column], filters: [] }), RangeError)
      const pastEnd = { offset: 1e15, limit: 9 }
      const lancia: Filter = { field: 'make', contains: 'lancia' }
      assert.deepEqual(await executed(table, { ...pastEnd, filters: [lancia] }), { total: 60, json: '' })
      assert.deepEqual(await executed(table, pastEnd), { total: 300, json: '' })
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
    fc.record(
      { field: fc.constantFrom('firstRegisteredAt', 'firstRegisteredInJerseyAt'), from: day, to: day },
      { requiredKeys: ['field'] },
    ),
  ),
  { maxLength: 4 },
)
const largeCase: fc.Arbitrary<Case> = fc.tuple(
  query(CAPABILITIES, largeFilters, { offset: fc.oneof(fc.nat(100), fc.nat(9500)), limit: fc.nat(60) }),
  countQuery(CAPABILITIES, largeFilters),
)
