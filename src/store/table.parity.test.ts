import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { ENGINES, type TestedEngine } from '../../test/support/store-engines.ts'
import { allRecords, appendAll, publishAll, VEHICLES, vehicles } from '../../test/support/stored-vehicles.ts'
import {
  ALL_CAPABILITIES,
  counted,
  countQuery,
  executed,
  filters,
  model,
  query,
  record,
} from '../../test/support/table-cases.ts'
import type { StoredRecord } from '../query/query.ts'
import { openStore } from './open-store.ts'

/** Publishing a release takes the most time, so each one serves many queries. */
const RELEASES = 25
const QUERIES = 48

async function tableOf(t: TestContext, engine: TestedEngine) {
  const store = await openStore(await engine.emptyStore(t))
  t.after(() => store.close())
  return async (records: readonly StoredRecord[]) =>
    store.releases.open(await publishAll(store, 'vehicles', VEHICLES, records), VEHICLES)
}

for (const engine of ENGINES) {
  test(`${engine.name}: a table gives the results of a plain list`, async t => {
    const publish = await tableOf(t, engine)
    const cases = fc.tuple(
      fc.array(record, { maxLength: 30 }),
      fc.array(fc.tuple(query(ALL_CAPABILITIES), countQuery(ALL_CAPABILITIES, filters(ALL_CAPABILITIES))), {
        minLength: QUERIES,
        maxLength: QUERIES,
      }),
    )
    await fc.assert(
      fc.asyncProperty(cases, async ([records, queries]) => {
        const opened = await publish(records)
        const expected = model(records)
        assert.ok(opened.table)
        for (const [query, count] of queries) {
          assert.deepEqual(await executed(opened.table, query), expected.execute(query))
          assert.deepEqual(await counted(opened.table, count), expected.count(count))
        }
        const all = await allRecords(opened)
        assert.equal(JSON.stringify(all), `[${expected.execute({}).json}]`)
        await opened.close()
      }),
      { numRuns: RELEASES },
    )
  })

  test(`${engine.name}: the cells that have a value are counted`, async t => {
    const publish = await tableOf(t, engine)
    const records = vehicles(2500)
    const opened = await publish(records)
    const blanks = new Map([['color', 'Grey']])
    const isFilled = (name: string) => (record: StoredRecord) =>
      ![null, '', blanks.get(name)].includes(record[name] as string | null)
    assert.deepEqual(
      await opened.filled?.(blanks),
      new Map(VEHICLES.columns.map(({ name }) => [name, records.filter(isFilled(name)).length])),
    )
    await opened.close()
  })

  test(`${engine.name}: pages hold every record once, and a page past the end is empty`, async t => {
    const publish = await tableOf(t, engine)
    const records = vehicles(2500)
    const opened = await publish(records)
    const { table } = opened
    assert.ok(table)
    for (const filters of [[], [{ field: 'make', contains: 'r' }]]) {
      const whole = model(records).execute({ filters })
      const pages: string[] = []
      for (let offset = 0; offset < whole.total; offset += 130)
        pages.push((await executed(table, { filters, offset, limit: 130 })).json)
      assert.equal(pages.join(','), whole.json)
      const pastEnd = await executed(table, { filters, offset: 1e15, limit: 1000 })
      assert.deepEqual(pastEnd, { total: whole.total, json: '' })
    }
    assert.equal((await allRecords(opened)).length, 2500)
    await opened.close()
  })

  test(`${engine.name}: what could not be given back as it was is refused, and counts for nothing`, async t => {
    const store = await openStore(await engine.emptyStore(t))
    t.after(() => store.close())
    const staging = await store.releases.stage('vehicles', VEHICLES)
    const [good = {}] = vehicles(1)
    for (const wrong of [
      { make: null },
      { make: 7 },
      { cylinderCapacity: '1400' },
      { cylinderCapacity: Number.NaN },
      { cylinderCapacity: 1e-300 },
      { firstRegisteredAt: '2024-03-11' },
      { firstRegisteredAt: '2024-03-11T01:00:00.000Z' },
      { firstRegisteredAt: '2023-02-30T00:00:00.000Z' },
      { hash: 'ABC' },
      { another: 1 },
    ])
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
    await opened.close()
  })

  test(`${engine.name}: a query that a field does not support is an error, not an empty result`, async t => {
    const publish = await tableOf(t, engine)
    const { table, close } = await publish(vehicles(3))
    assert.ok(table)
    await assert.rejects(
      async () => table.execute({ filters: [{ field: 'nothing', contains: 'x' }], offset: 0, limit: 0 }),
      RangeError,
    )
    await assert.rejects(
      async () => table.execute({ filters: [{ field: 'hash', contains: 'x' }], offset: 0, limit: 0 }),
      RangeError,
    )
    await assert.rejects(
      async () => table.execute({ filters: [{ field: 'make', from: '2024-01-01' }], offset: 0, limit: 0 }),
      RangeError,
    )
    await assert.rejects(
      async () =>
        table.execute({ filters: [{ field: 'firstRegisteredAt', from: '2023-02-30' }], offset: 0, limit: 0 }),
      RangeError,
    )
    await assert.rejects(async () => table.count({ by: ['nothing'], filters: [] }), RangeError)
    await close()
  })
}
