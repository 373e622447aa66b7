import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareWithStore, largeCase, results, tablesOf } from '../../test/support/columnar-parity.ts'
import { emptyFolder } from '../../test/support/folder.ts'
import { SQLITE } from '../../test/support/store-engines.ts'
import { publishAll, VEHICLES, vehicles } from '../../test/support/stored-vehicles.ts'
import {
  ALL_CAPABILITIES,
  countQuery,
  filters,
  model,
  query,
  record,
} from '../../test/support/table-cases.ts'
import { openStore } from '../store/open-store.ts'

// PostgreSQL, which takes minutes: test/fuzz.
compareWithStore(SQLITE)

test('a columnar table executes every kind of query as a plain list does', async t => {
  const store = await openStore(`sqlite:${await emptyFolder(t)}`)
  t.after(() => store.close())
  const some = filters(ALL_CAPABILITIES)
  const cases = fc.tuple(
    fc.array(record, { maxLength: 40 }),
    fc.array(fc.tuple(query(ALL_CAPABILITIES), countQuery(ALL_CAPABILITIES, some)), {
      minLength: 30,
      maxLength: 30,
    }),
  )
  await fc.assert(
    fc.asyncProperty(cases, async ([records, queries]) => {
      const opened = await store.releases.open(
        await publishAll(store, 'vehicles', VEHICLES, records),
        VEHICLES,
      )
      const loaded = await tablesOf(opened)
      const plain = model(records)
      for (const queried of queries) {
        const expected = [plain.execute(queried[0]), plain.count(queried[1])]
        for (const one of loaded) assert.deepEqual(await results(one, queried), expected)
      }
      await opened.close()
    }),
    { numRuns: 50 },
  )
})

test('a columnar table of thousands of rows sorts, projects and groups as a plain list does', async t => {
  const store = await openStore(`sqlite:${await emptyFolder(t)}`)
  t.after(() => store.close())
  const records = vehicles(9000)
  const opened = await store.releases.open(await publishAll(store, 'vehicles', VEHICLES, records), VEHICLES)
  const loaded = await tablesOf(opened)
  const plain = model(records)
  await fc.assert(
    fc.asyncProperty(largeCase(ALL_CAPABILITIES), async queried => {
      const expected = [plain.execute(queried[0]), plain.count(queried[1])]
      for (const one of loaded) assert.deepEqual(await results(one, queried), expected)
    }),
    { numRuns: 40 },
  )
  await opened.close()
})
