import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { ENGINES, type TestedEngine } from '../../test/support/store-engines.ts'
import { allRecords, appendAll, publishAll, VEHICLES, vehicles } from '../../test/support/stored-vehicles.ts'
import { fold } from './fold.ts'
import type { Filter, StoredRecord, Table } from './layout.ts'
import { openStore } from './open-store.ts'

const WORDS = [
  ...['', ' ', 'Ford', 'FORD', 'Citroën', 'CITROEN', 'ΟΔΟΣ', 'a%b', 'a_b', '*', "it's", '"quoted"', 'null'],
  ...['__proto__', 'constructor', 'toString', '7', '10', 'a\0b', '\ud83d', '🚗', '\uffee', 'ﬀ', 'e\u0301'],
]
const word = fc.constantFrom(...WORDS)
const part = fc.oneof(word, fc.constantFrom('o', 'E', 'é', '%', '_', 'a', '\0', 'zzz', '\u0301'))
const DAYS = ['1948-09-13', '1969-12-31', '1970-01-01', '2024-02-29', '2024-03-01', '2024-03-11']
const day = fc.option(fc.constantFrom(...DAYS).map(date => `${date}T00:00:00.000Z`))
const number = fc.option(
  fc
    .oneof(
      fc.constantFrom(0, 1418, -3, 12.5, 0.1, 1e300, Number.EPSILON, 2 ** 53),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    )
    .map(value => roughly(value)),
)
/** Without -0, which JSON does not have, and what is next to it. */
const roughly = (value: number): number => (Math.abs(value) < Number.EPSILON ? 0 : value)
const record: fc.Arbitrary<StoredRecord> = fc.record(
  {
    make: word,
    model: word,
    color: word,
    cylinderCapacity: number,
    fuelType: word,
    firstRegisteredAt: day,
    firstRegisteredInJerseyAt: day,
    hash: fc.constantFrom('0', 'a', 'f').map(digit => digit.repeat(64)),
  },
  { noNullPrototype: true },
)
const wordColumn = fc.constantFrom('make', 'model', 'color', 'fuelType')
const filter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ column: wordColumn, contains: part }),
  fc.record({ column: wordColumn, equals: part }),
  fc.record(
    {
      column: fc.constantFrom('firstRegisteredAt', 'firstRegisteredInJerseyAt'),
      from: fc.constantFrom(...DAYS, '1900-01-01', '2100-01-01'),
      to: fc.constantFrom(...DAYS, '1900-01-01', '2100-01-01'),
    },
    { requiredKeys: ['column'] },
  ),
)
const question = fc.record({
  filters: fc.array(filter, { maxLength: 3 }),
  offset: fc.nat(40),
  limit: fc.nat(12),
  column: wordColumn,
})

/** What a table promises, said plainly. */
function model(records: readonly StoredRecord[]) {
  const served = [...records].sort((one, other) =>
    newestFirst(one.firstRegisteredInJerseyAt, other.firstRegisteredInJerseyAt),
  )
  const matching = (filters: readonly Filter[]) =>
    served.filter(item => filters.every(one => meets(item, one)))
  return {
    page(filters: readonly Filter[], offset: number, limit: number) {
      const found = matching(filters)
      return { total: found.length, json: JSON.stringify(found.slice(offset, offset + limit)).slice(1, -1) }
    },
    countBy(column: string, filters: readonly Filter[]) {
      const counts = new Map<string, number>()
      for (const item of matching(filters))
        counts.set(String(item[column]), (counts.get(String(item[column])) ?? 0) + 1)
      return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    },
  }
}

const asked = async (table: Table, ...question: Parameters<Table['page']>) => {
  const { total, json } = await table.page(...question)
  return { total, json: json.toString() }
}

const newestFirst = (one: unknown, other: unknown): number =>
  one === other ? 0 : one === null ? 1 : other === null ? -1 : String(one) < String(other) ? 1 : -1

function meets(item: StoredRecord, asked: Filter): boolean {
  const value = item[asked.column]
  if ('contains' in asked) return fold(String(value)).includes(fold(asked.contains))
  if ('equals' in asked) return fold(String(value)) === fold(asked.equals)
  if (value === null) return false
  const { from = '0000', to = '9999' } = asked as { from?: string; to?: string }
  return String(value).slice(0, 10) >= from && String(value).slice(0, 10) <= to
}

async function tableOf(t: TestContext, engine: TestedEngine) {
  const store = await openStore(await engine.emptyStore(t))
  t.after(() => store.close())
  return async (records: readonly StoredRecord[]) =>
    store.open(await publishAll(store, 'vehicles', VEHICLES, records), VEHICLES)
}

for (const engine of ENGINES) {
  test(`${engine.name}: a table answers every question as a plain list would`, async t => {
    const publish = await tableOf(t, engine)
    const cases = fc.tuple(
      fc.array(record, { maxLength: 30 }),
      fc.array(question, { minLength: 8, maxLength: 8 }),
    )
    await fc.assert(
      fc.asyncProperty(cases, async ([records, questions]) => {
        const opened = await publish(records)
        const expected = model(records)
        assert.ok(opened.table)
        for (const { filters, offset, limit, column } of questions) {
          assert.deepEqual(
            await asked(opened.table, filters, offset, limit),
            expected.page(filters, offset, limit),
          )
          assert.deepEqual(await opened.table.countBy(column, filters), expected.countBy(column, filters))
        }
        const all = await allRecords(opened)
        assert.equal(JSON.stringify(all), `[${expected.page([], 0, 100).json}]`)
        await opened.close()
      }),
      { numRuns: 150 },
    )
  })

  test(`${engine.name}: pages hold every record once, and a page past the end is empty`, async t => {
    const publish = await tableOf(t, engine)
    const records = vehicles(2500)
    const opened = await publish(records)
    const { table } = opened
    assert.ok(table)
    for (const filters of [[], [{ column: 'make', contains: 'r' }]]) {
      const whole = model(records).page(filters, 0, 2500)
      const pages: string[] = []
      for (let offset = 0; offset < whole.total; offset += 130)
        pages.push((await asked(table, filters, offset, 130)).json)
      assert.equal(pages.join(','), whole.json)
      assert.deepEqual(await asked(table, filters, 1e15, 1000), { total: whole.total, json: '' })
    }
    assert.equal((await allRecords(opened)).length, 2500)
    await opened.close()
  })

  test(`${engine.name}: what could not be given back as it was is refused, and counts for nothing`, async t => {
    const store = await openStore(await engine.emptyStore(t))
    t.after(() => store.close())
    const staging = await store.stage('vehicles', VEHICLES)
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
        staging.append('key', { ...good, make: 'Refused', ...wrong }),
        error => error instanceof TypeError || error instanceof RangeError,
        JSON.stringify(wrong),
      )
    const { rows } = await appendAll(staging, [good])
    assert.equal(rows, 1)
    const details = { source: 'x', synthetic: true, changes: { added: 1, changed: 0, removed: 0 } }
    const opened = await store.open(await staging.publish({ ...details, firstSeen: new Map() }), VEHICLES)
    assert.deepEqual(await opened.table?.countBy('make', []), [[good.make, 1]])
    await opened.close()
  })

  test(`${engine.name}: a question about a column that cannot answer it is an error, not an empty answer`, async t => {
    const publish = await tableOf(t, engine)
    const { table, close } = await publish(vehicles(3))
    assert.ok(table)
    await assert.rejects(table.page([{ column: 'nothing', contains: 'x' }], 0, 0), RangeError)
    await assert.rejects(table.page([{ column: 'hash', contains: 'x' }], 0, 0), RangeError)
    await assert.rejects(table.page([{ column: 'make', from: '2024-01-01' }], 0, 0), RangeError)
    await assert.rejects(table.page([{ column: 'firstRegisteredAt', from: '2023-02-30' }], 0, 0), RangeError)
    await assert.rejects(table.countBy('hash', []), RangeError)
    await close()
  })
}
