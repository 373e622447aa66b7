import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { manyVehicles } from '../../../../test/support/many-vehicles.ts'
import { ENGINES } from '../../../../test/support/store-engines.ts'
import { publishAll, VEHICLES } from '../../../../test/support/stored-vehicles.ts'
import {
  ALL_CAPABILITIES,
  counted,
  countQuery,
  executed,
  model,
  query,
} from '../../../../test/support/table-cases.ts'
import type { Filter } from '../../../query/query.ts'
import { openStore } from '../../open-store.ts'

/* A table large enough for every access path: rollups, scans and index lookups, with dictionary blocks and without. */

const RECORDS = manyVehicles(36_000)
const QUERIES = 60

const filter = (...filters: (Filter | readonly Filter[])[]) => fc.constantFrom(...filters)
const makes = filter(
  { field: 'make', contains: 'ford' },
  { field: 'make', equals: 'Citroen' },
  { field: 'make', contains: 'make 3' },
  { field: 'make', contains: '' },
  { field: 'make', equals: 'Once' },
)
const models = filter(
  { field: 'model', contains: 'fiesta' },
  { field: 'model', contains: 'e' },
  { field: 'model', contains: '1.4 zetec' },
  { field: 'model', equals: 'FIESTA 77' },
  { field: 'model', contains: 'fiesta\nfiesta' },
  { field: 'model', equals: '' },
  { words: 'zetec ford', fields: ['make', 'model'] },
  { words: '77 fiesta', fields: ['make', 'model'] },
)
const colours = filter({ field: 'color', equals: 'blue' }, { field: 'color', contains: 'r' }, [
  { field: 'color', contains: 'e' },
  { field: 'fuelType', equals: 'petrol' },
])
const DATES = [
  '1920-05-06',
  '1969-12-31',
  '1970-01-01',
  '1985-01-31',
  '1985-02-01',
  '2001-07-15',
  '2023-12-31',
]
const range = fc
  .tuple(
    fc.constantFrom('firstRegisteredAt', 'firstRegisteredInJerseyAt'),
    fc.option(fc.constantFrom(...DATES)),
    fc.option(fc.constantFrom(...DATES)),
  )
  .map(([field, from, to]): Filter => ({ field, ...(from && { from }), ...(to && { to }) }))
const some = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: [] as const })
const filters = fc
  .tuple(some(makes), some(models), some(colours), some(range), some(some(range)))
  .map(filters => filters.flat(2) as Filter[])
const cases = fc.record({
  query: query(ALL_CAPABILITIES, filters, { offset: fc.constant(0), limit: fc.constantFrom(1, 30, 200) }),
  count: countQuery(ALL_CAPABILITIES, filters),
  share: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
})

/** The results of a plain list, computed once for all engines; a page begins at a share of its query's total. */
const expected = model(RECORDS)
const CASES = fc
  .sample(cases, { seed: 7, numRuns: QUERIES })
  .map(({ query: { offset: _, limit = 30, ...selected }, count, share }) => {
    const offset = Math.floor(share * expected.execute({ ...selected, limit: 0 }).total)
    const query = { ...selected, offset, limit }
    return { query, count, page: expected.execute(query), groups: expected.count(count) }
  })

for (const engine of ENGINES)
  test(`${engine.name}: a large table gives the results of a plain list`, async t => {
    const store = await openStore(await engine.emptyStore(t))
    t.after(() => store.close())
    const { table } = await store.releases.open(
      await publishAll(store, 'vehicles', VEHICLES, RECORDS),
      VEHICLES,
    )
    assert.ok(table)
    for (const { query, count, page, groups } of CASES) {
      const about = JSON.stringify({ query, count })
      assert.deepEqual(await executed(table, query), page, about)
      assert.deepEqual(await counted(table, count), groups, about)
    }
  })
