import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ENGINES } from '../../test/support/store-engines.ts'
import { publishAll, VEHICLES, vehicles } from '../../test/support/stored-vehicles.ts'
import { asked, model, type Question, question, record } from '../../test/support/table-cases.ts'
import type { Collection } from '../query/collection.ts'
import type { Filter } from '../query/query.ts'
import { openStore } from '../store/open-store.ts'
import type { OpenRelease } from '../store/store.ts'
import { buildRegister, type Sizes } from './build/build-table.ts'
import type { Register } from './columnar-table.ts'

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

const answers = (table: Collection, { filters, offset, limit, column }: Question) =>
  Promise.all([asked(table, filters, offset, limit), table.count({ by: [column], filters })])

/** Columns in other orders, and without some kinds. */
const LAYOUTS = [
  ['hash', 'firstRegisteredInJerseyAt', 'make'],
  ['cylinderCapacity', 'firstRegisteredAt', 'firstRegisteredInJerseyAt'],
  ['firstRegisteredInJerseyAt'],
  ['firstRegisteredInJerseyAt', 'hash'],
]

for (const engine of ENGINES) {
  test(`${engine.name}: a register answers every question as the store does, and as a plain list would`, async t => {
    const store = await openStore(await engine.emptyStore(t))
    t.after(() => store.close())
    const cases = fc.tuple(
      fc.array(record, { maxLength: 40 }),
      fc.array(question, { minLength: 12, maxLength: 12 }),
    )
    await fc.assert(
      fc.asyncProperty(cases, async ([records, questions]) => {
        const opened = await store.open(await publishAll(store, 'vehicles', VEHICLES, records), VEHICLES)
        const { table } = opened
        assert.ok(table)
        const registers = await registersOf(opened)
        const plain = model(records)
        for (const one of questions) {
          const expected = await answers(table, one)
          assert.deepEqual(expected, [
            plain.execute({ filters: one.filters, offset: one.offset, limit: one.limit }),
            plain.count({ by: [one.column], filters: one.filters }),
          ])
          for (const register of registers) assert.deepEqual(await answers(register, one), expected)
        }
        await opened.close()
      }),
      { numRuns: 150 },
    )
  })

  test(`${engine.name}: a register of thousands of rows answers as the store does`, async t => {
    const store = await openStore(await engine.emptyStore(t))
    t.after(() => store.close())
    const opened = await store.open(await publishAll(store, 'vehicles', VEHICLES, vehicles(9000)), VEHICLES)
    const { table } = opened
    assert.ok(table)
    const registers = await registersOf(opened)
    await fc.assert(
      fc.asyncProperty(largeQuestion, async one => {
        const expected = await answers(table, one)
        for (const register of registers) assert.deepEqual(await answers(register, one), expected)
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
      const opened = await store.open(await publishAll(store, 'vehicles', layout, records), layout)
      assert.ok(opened.table)
      const questions: Filter[][] = [[], [{ field: layout.newestFirstBy, from: '1990-01-01' }]]
      for (const register of await registersOf(opened, layout))
        for (const filters of questions)
          assert.deepEqual(await asked(register, filters, 3, 100), await asked(opened.table, filters, 3, 100))
      await opened.close()
    })

  test(`${engine.name}: a register refuses the questions that the store refuses, and answers the next`, async t => {
    const store = await openStore(await engine.emptyStore(t))
    t.after(() => store.close())
    const opened = await store.open(await publishAll(store, 'vehicles', VEHICLES, vehicles(300)), VEHICLES)
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
      assert.deepEqual(await asked(table, [{ field: 'make', contains: 'lancia' }], 1e15, 9), {
        total: 60,
        json: '',
      })
      assert.deepEqual(await asked(table, [], 1e15, 9), { total: 300, json: '' })
    }
    await opened.close()
  })
}

const day = fc
  .integer({ min: 2900, max: 13_100 })
  .map(days => new Date(days * 86_400_000).toISOString().slice(0, 10))
const text = fc.constantFrom('', 'o', 'ford', 'n', 'model 1', 'model 11', '9', 'blue', 'e', 'petrol', 'zzz')
const largeQuestion = fc.record({
  filters: fc.array(
    fc.oneof(
      fc.record({ field: fc.constantFrom('make', 'model', 'color', 'fuelType'), contains: text }),
      fc.record({ field: fc.constantFrom('model', 'color'), equals: text }),
      fc.record(
        { field: fc.constantFrom('firstRegisteredAt', 'firstRegisteredInJerseyAt'), from: day, to: day },
        { requiredKeys: ['field'] },
      ),
    ),
    { maxLength: 4 },
  ),
  offset: fc.oneof(fc.nat(100), fc.nat(9500)),
  limit: fc.nat(60),
  column: fc.constantFrom('make', 'model', 'color', 'fuelType'),
})
