import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { temporaryStore } from '../../test/support/service.ts'
import { DISTRIBUTED_TABLE_ENGINES, type TestedEngine } from '../../test/support/store-engines.ts'
import {
  allRecords,
  appendAll,
  publishAll,
  UNSTORABLE,
  VEHICLES,
  vehicles,
} from '../../test/support/stored-vehicles.ts'
import {
  counted,
  countQuery,
  executed,
  filters,
  model,
  query,
  record,
} from '../../test/support/table-cases.ts'

/** Publishing a release takes the most time, so each release serves many queries. */
const RELEASES = 15
const QUERIES = 20

const openTables = async (t: TestContext, { emptyStore, tables }: TestedEngine) =>
  temporaryStore(t, await emptyStore(t), tables)

for (const engine of DISTRIBUTED_TABLE_ENGINES) {
  test(`${engine.name}: a published table gives the results of a plain list, and its records`, async t => {
    const store = await openTables(t, engine)
    const cases = fc.tuple(
      fc.array(record, { maxLength: 30 }),
      fc.array(fc.tuple(query(), countQuery(filters)), { minLength: QUERIES, maxLength: QUERIES }),
    )
    await fc.assert(
      fc.asyncProperty(cases, async ([records, queries]) => {
        const release = await publishAll(store, 'vehicles', VEHICLES, records)
        await store.releases.verify(release)
        const opened = await store.releases.open(release, VEHICLES)
        const expected = model(records)
        assert.ok(opened.table)
        for (const [query, count] of queries) {
          assert.deepEqual(await executed(opened.table, query), expected.execute(query))
          assert.deepEqual(await counted(opened.table, count), expected.count(count))
        }
        const all = await allRecords(opened)
        assert.equal(JSON.stringify(all), `[${expected.execute({}).json}]`)
      }),
      { numRuns: RELEASES },
    )
  })

  test(`${engine.name}: what could not be given back as it was is refused, and counts for nothing`, async t => {
    const store = await openTables(t, engine)
    const staging = await store.releases.stage('vehicles', VEHICLES)
    const [good = {}] = vehicles(1)
    for (const wrong of UNSTORABLE)
      await assert.rejects(
        async () => staging.append('key', { ...good, make: 'Refused', ...wrong }),
        error => error instanceof TypeError || error instanceof RangeError,
        JSON.stringify(wrong),
      )
    const { rows } = await appendAll(staging, [good])
    assert.equal(rows, 1)
    const details = { source: 'x', synthetic: true, changes: { added: 1, changed: 0, removed: 0 } }
    const opened = await store.releases.open(
      await staging.publish({ ...details, firstSeen: new Map() }),
      VEHICLES,
    )
    assert.deepEqual((await opened.table?.count({ by: ['make'], filters: [] }))?.slice(), [[good.make, 1]])
  })

  test(`${engine.name}: the same records have the same hash, repeats and changes on every engine`, async t => {
    const store = await openTables(t, engine)
    await publishAll(store, 'vehicles', VEHICLES, vehicles(900))
    const staging = await store.releases.stage('vehicles', VEHICLES)
    const records = [...vehicles(700, 100), ...vehicles(100, 300)]
    const [changed = {}] = vehicles(1, 50)
    const sealed = await appendAll(staging, [...records, { ...changed, make: 'Changed' }])
    assert.deepEqual(sealed, {
      rows: 801,
      repeated: 100,
      hash: 'bcfb85bc62bab53b43019f4e4f0398ef1fae84607af8bd69310d369d98ec76ff',
    })
    const before = await store.releases.current('vehicles')
    assert.deepEqual(await staging.changesSince(before), { added: 100, changed: 1, removed: 199 })
    await staging.discard()
  })
}
