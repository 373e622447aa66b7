import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Client } from 'pg'
import { emptySchema, NO_CITUS } from '../../../../test/support/citus.ts'
import { compareWithModel } from '../../../../test/support/collection-parity.ts'
import { manyVehicles } from '../../../../test/support/many-vehicles.ts'
import { NO_POSTGRES, postgresFolder } from '../../../../test/support/postgres.ts'
import { run } from '../../../../test/support/postgres-server.ts'
import { openRowStore, type RowStore } from '../../../../test/support/stored-rows.ts'
import { VEHICLES, vehicles } from '../../../../test/support/stored-vehicles.ts'
import { counted, countQuery, executed, filters, model, query } from '../../../../test/support/table-cases.ts'
import { until } from '../../../../test/support/until.ts'
import type { CountQuery, Filter, Query, StoredRecord } from '../../../query/query.ts'
import { cut } from '../connect/connections.ts'
import { sortableText, textOf } from './stored-columns.ts'

const options = { skip: postgresFolder() === undefined && NO_POSTGRES }

compareWithModel('rows of PostgreSQL', {
  ...options,
  lists: 25,
  async open(t) {
    const { publish } = await openRowStore(t)
    return async (...given) => [(await publish(...given)).collection]
  },
})

compareWithModel('rows that Citus distributes', {
  skip: NO_CITUS,
  lists: 5,
  async open(t) {
    const { publish } = await openRowStore(t, emptySchema)
    return async (...given) => [(await publish(...given)).collection]
  },
})

test('texts are encoded so that their UTF-8 sorts as they do, and decoded to what they were', () => {
  const odd = fc.constantFrom(
    '\0',
    '\x01',
    '\x02',
    'a',
    '\ud7ff',
    '\ud800',
    '\udbff',
    '\udfff',
    '\ue000',
    '\uffff',
    '🚗',
  )
  const text = fc.oneof(
    fc.array(odd, { maxLength: 4 }).map(some => some.join('')),
    fc.string({ unit: 'binary' }),
  )
  const sign = (order: number) => Math.sign(order)
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [stored, otherStored] = [sortableText(one), sortableText(other)]
      assert.equal(textOf(stored), one)
      assert.ok(stored.isWellFormed() && !stored.includes('\0'))
      const expected = one < other ? -1 : Number(one > other)
      assert.equal(sign(Buffer.compare(Buffer.from(stored), Buffer.from(otherStored))), expected)
    }),
    { numRuns: 5000 },
  )
})

const FORD: Filter = { field: 'make', contains: 'ford' }
const SINCE_1970: Filter = { field: 'firstRegisteredInJerseyAt', from: '1970-01-01' }

const LONG: readonly Query[] = [
  {},
  { offset: 777, limit: 11_000 },
  { filters: [SINCE_1970], limit: 20_000 },
  { filters: [{ field: 'firstRegisteredInJerseyAt', to: '1995-01-01' }], offset: 10 },
  { filters: [{ field: 'color', contains: 'e' }], offset: 5 },
  { filters: [{ field: 'cylinderCapacity', from: 1000 }], fields: ['hash', 'make'] },
  {
    sort: [
      { field: 'model', direction: 'descending' },
      { field: 'cylinderCapacity', direction: 'ascending' },
    ],
    offset: 100,
  },
]

test('a result that is too large for memory is streamed in batches, in order', options, async t => {
  const { publish, statements } = await openRowStore(t)
  const records = manyVehicles(24_000)
  const { collection } = await publish(records)
  for (const query of LONG) {
    const expected = model(records).execute(query)
    const result = await collection.execute(query)
    assert.equal(result.total, expected.total)
    assert.throws(() => result.json(), RangeError, JSON.stringify(query))
    const texts: string[] = []
    for await (const batch of result.batches()) {
      assert.ok(batch.length > 0 && batch.length <= 1000)
      assert.equal(batch.records().length, batch.length)
      texts.push(batch.json().toString())
    }
    assert.equal(texts.join(','), expected.json, JSON.stringify(query))
  }
  const before = statements.length
  for await (const { length } of (await collection.execute({})).batches()) if (length > 0) break
  assert.equal(statements.length - before, 1, 'a reader that stops early has read one batch')
})

test('a stream ends where rows were lost', options, async t => {
  const { publish, client } = await openRowStore(t)
  const { collection, name } = await publish(vehicles(3000))
  const { batches } = await collection.execute({ filters: [{ field: 'color', contains: 'e' }] })
  await client.query(`delete from pds.r${name}_rows where position > 1500`)
  let rows = 0
  for await (const { length } of batches()) rows += length
  assert.equal(rows, 1500)
})

const QUERIES: readonly Query[] = [
  {},
  { limit: 10 },
  { limit: 2000 },
  { filters: [FORD], limit: 10 },
  { filters: [FORD], offset: 300, limit: 10 },
  { filters: [FORD, SINCE_1970], limit: 1500 },
  { filters: [{ words: 'ford fiesta', fields: ['make', 'model'] }], limit: 10 },
  { filters: [{ field: 'hash', equals: '0'.repeat(64) }], limit: 10 },
  { filters: [{ field: 'cylinderCapacity', equals: '1' }], limit: 10 },
  { sort: [{ field: 'make', direction: 'ascending' }], offset: 50, limit: 10 },
  { sort: [{ field: 'firstRegisteredAt', direction: 'descending' }], limit: 1500 },
]
const COUNTS: readonly CountQuery[] = [
  { by: ['make'] },
  { by: ['make', 'cylinderCapacity'], filters: [SINCE_1970] },
  {
    by: [
      { field: 'firstRegisteredAt', part: 'year' },
      { field: 'firstRegisteredAt', part: 'month' },
    ],
  },
]

/** Queries of every kind. */
const RANDOM = fc.sample(fc.tuple(query(), countQuery(filters)), 200)

test('every statement can be run over rows distributed by position', options, async t => {
  const { publish, statements } = await openRowStore(t)
  const { collection } = await publish(manyVehicles(3000))
  const few = await publish(vehicles(50))
  statements.length = 0
  for (const asked of QUERIES)
    for await (const { length } of (await collection.execute(asked)).batches()) assert.ok(length > 0)
  for (const asked of COUNTS) await collection.count(asked)
  for (const [asked, count] of RANDOM) {
    await executed(few.collection, asked)
    await few.collection.count(count)
  }
  assert.ok(statements.length > QUERIES.length + COUNTS.length)
  for (const statement of new Set(statements)) {
    assert.equal(statement.match(/"pds"\./g)?.length, 1, `one table, once: ${statement}`)
    assert.doesNotMatch(
      statement,
      /\b(join|lateral|exists|union|with|grouping|rollup|cube|over|for (?:update|share))\b/,
    )
    // A subquery replaces the table, so it cannot depend on the rows of another table.
    for (const before of statement.split('(select ').slice(0, -1)) assert.match(before, / from $/)
    for (const aggregate of statement.match(/\b(json|array|string)_agg\([^)]*\)/g) ?? [])
      assert.match(aggregate, / order by .*"position"\)$/)
    if (!/\bgroup by\b|^select count\(/.test(statement))
      assert.match(statement, / order by (?:.*, )?"?position"?(?: limit \$\d+)?(?: offset \$\d+\) as page)?$/)
  }
})

test('values of users are never in the text of a statement', options, async t => {
  const { publish, statements } = await openRowStore(t)
  const { collection } = await publish(vehicles(50))
  statements.length = 0
  const filters: Filter[] = [
    { field: 'make', contains: 'SECRET' },
    { field: 'model', equals: 'SECRET' },
    { words: 'secret', fields: ['make', 'model'] },
    { field: 'cylinderCapacity', from: 424_242 },
    { field: 'firstRegisteredAt', to: '2024-03-11' },
    { field: 'hash', equals: 'ab'.repeat(32) },
  ]
  await collection.execute({ filters, limit: 424_242 })
  await collection.count({ by: ['make'], filters })
  assert.ok(statements.length >= 2)
  // The digits of the table's name come from the clock.
  for (const statement of statements)
    assert.doesNotMatch(statement.replace(/r\d+_rows/, 'rows'), /secret|424242|2024|abab/i)
})

test('what is counted of all rows is counted once', options, async t => {
  const { publish, statements } = await openRowStore(t)
  const records = manyVehicles(500)
  const { collection } = await publish(records)
  const year: CountQuery = { by: [{ field: 'firstRegisteredAt', part: 'year' }] }
  for (const query of [{ by: ['make'] }, year]) {
    statements.length = 0
    for (let asked = 0; asked < 2; asked++)
      assert.deepEqual(await counted(collection, query), model(records).count(query))
    assert.equal(statements.length, 1)
  }
  statements.length = 0
  assert.equal((await executed(collection, { limit: 1 })).total, 500)
  assert.equal(statements.length, 1, 'the total is known')

  // Once the texts have been counted, the total of a filter on one text is known, too.
  for (const filter of [FORD, { field: 'make', equals: 'FORD' }] as const) {
    const query = { filters: [filter], limit: 1 }
    await until(async () => {
      statements.length = 0
      assert.deepEqual(await executed(collection, query), model(records).execute(query))
      return !statements.some(statement => statement.includes('count('))
    }, 'the texts being counted')
  }

  // Two filters look for whole texts, which an index counts without reading a row.
  for (const filters of [
    [FORD, SINCE_1970],
    [FORD, { field: 'make', contains: 'o' }, { field: 'make', equals: 'Ford' }],
    [FORD, { field: 'make', equals: 'nothing' }],
  ] as const) {
    statements.length = 0
    const query = { filters, limit: 5 }
    assert.deepEqual(await executed(collection, query), model(records).execute(query))
    for (const statement of statements) {
      assert.doesNotMatch(statement, / like /)
      assert.equal(
        statement.match(/ any\(/g)?.length,
        1,
        'one list a field, as the server looks up every pair of two',
      )
    }
  }
})

test('without the right to create pg_trgm everything is found, by scanning', options, async t => {
  const { publish, client } = await openRowStore(t, async address => {
    await run(address, 'create role modest login')
    await run(address, 'create schema pds authorization modest')
    return address.replace('pds@', 'modest@')
  })
  const records = manyVehicles(2000)
  const { collection } = await publish(records)
  const { rows } = await client.query(
    "select indexdef from pg_indexes where schemaname = 'pds' and indexdef like '%gin%'",
  )
  assert.deepEqual(rows, [])
  const query = { filters: [FORD], limit: 20 }
  assert.deepEqual(await executed(collection, query), model(records).execute(query))
})

test('texts too long for an index are found nevertheless', options, async t => {
  const { publish } = await openRowStore(t)
  const long = Array.from({ length: 3000 }, (_, n) => `word ${n * n}`).join(' ')
  const records = vehicles(40).map((vehicle, n) => (n === 7 ? { ...vehicle, make: long } : vehicle))
  const { collection } = await publish(records)
  for (const filter of [{ contains: '4 word 8994001' }, { equals: long }]) {
    const query = { filters: [{ field: 'make', ...filter }, { field: 'firstRegisteredAt' }] }
    assert.deepEqual(await executed(collection, query), model(records).execute(query))
    assert.equal(model(records).execute(query).total, 1)
  }
})

test('texts are indexed by their trigrams, wherever pg_trgm is', options, async t => {
  const { publish, client } = await openRowStore(t, async address => {
    await run(address, 'create schema pds')
    await run(address, 'create schema "Of Others"')
    await run(address, 'create extension pg_trgm schema "Of Others"')
    return address
  })
  const { name } = await publish(vehicles(10))
  const { rows } = await client.query(
    `select 1 from pg_indexes where tablename = 'r${name}_rows' and indexdef like '%gin%'`,
  )
  assert.equal(rows.length, VEHICLES.columns.filter(({ type }) => type === 'word').length)
})

test('a layout that cannot be kept is refused before anything is made', options, async t => {
  const { build, client } = await openRowStore(t)
  await assert.rejects(build({ ...VEHICLES, newestFirstBy: 'make' }), RangeError)
  assert.deepEqual(await tables(client), ['release_pieces'])
})

test(
  'the digests are kept in pieces under the name of the release, and removed with it',
  options,
  async t => {
    const { build, client } = await openRowStore(t)
    const builder = await build()
    await assert.rejects(builder.place(1), /sealed/)
    const [vehicle = {}] = vehicles(1)
    for (let n = 0; n < 2 ** 16 + 2; n++) await builder.append(`key ${n}`, vehicle, `content ${n}`)
    const { digests } = await builder.seal(() => {})
    assert.equal(digests.length, 2 ** 20 + 32)
    const { name, bytes, sha256 } = await builder.place(1)
    assert.deepEqual([bytes, sha256], [null, null])
    const pieces = () => client.query('select name, bytes from pds.release_pieces order by piece')
    const { rows } = await pieces()
    assert.deepEqual(
      rows.map(row => [row.name, row.bytes.length]),
      [
        [name, 2 ** 20],
        [name, 32],
      ],
    )
    assert.deepEqual(Buffer.concat(rows.map(row => row.bytes)), Buffer.from(digests))
    await builder.remove()
    assert.deepEqual((await pieces()).rows, [])
  },
)

test('a lost connection fails the release that is filled over it', options, async t => {
  const { build, client } = await openRowStore(t)
  client.on('error', () => {})
  const builder = await build()
  await fillBatch(builder)
  cut(client)
  await assert.rejects(async () => {
    for (;;) await fillBatch(builder)
  }, /terminated|not queryable/)
  await assert.rejects(builder.seal(() => {}))
})

test('the source of a release waits while the server is behind', options, async t => {
  const { build, client, address } = await openRowStore(t)
  const builder = await build()
  const [staging = ''] = (await tables(client)).filter(table => table.endsWith('_staging'))
  const holder = new Client({ connectionString: address })
  await holder.connect()
  t.after(() => holder.end())
  await holder.query(`begin; lock table pds.${staging}`)
  let isFilled = false
  // Only the next batch is read while the first is being inserted.
  await fillBatch(builder)
  const filling = fillBatch(builder).then(() => {
    isFilled = true
  })
  const isBehind = `select from pg_locks where relation = 'pds.${staging}'::regclass and not granted`
  await until(async () => (await holder.query(isBehind)).rowCount === 1, 'the server waiting for the table')
  assert.equal(isFilled, false)
  await holder.query('commit')
  await filling
  await builder.remove()
})

/** Adds vehicles until rows are sent to the server. */
async function fillBatch(builder: Awaited<ReturnType<RowStore['build']>>): Promise<void> {
  for (const vehicle of manyVehicles(20_000)) {
    const sent = builder.append('key', vehicle, '')
    if (sent !== undefined) return sent
  }
}

for (const [name, how, prepare] of [
  ['PostgreSQL', options],
  ['Citus', { skip: NO_CITUS }, emptySchema],
] as const)
  test(`${name}: a release is removed while it is filled, while it is sealed, and after`, how, async t => {
    const { build, client, schema } = await openRowStore(t, prepare)
    const filled = await build()
    for (const vehicle of manyVehicles(2000)) await filled.append('key', vehicle, '')
    await filled.remove()
    assert.deepEqual(await tables(client, schema), ['release_pieces'])

    const sealing = await build()
    for (const vehicle of manyVehicles(20_000)) await sealing.append('key', vehicle, '')
    const phases: string[] = []
    const sealed = sealing.seal(phase => phases.push(phase))
    const failed = assert.rejects(sealed, /cancel/)
    await sealing.remove()
    await failed
    assert.deepEqual(await tables(client, schema), ['release_pieces'])

    const done = await build()
    await done.append('key', vehicles(1)[0] as StoredRecord, '')
    await done.seal(phase => phases.push(phase))
    assert.deepEqual(phases.slice(-3), ['sorting', 'indexing', 'vacuuming'])
    await done.remove()
    assert.deepEqual(await tables(client, schema), ['release_pieces'])
  })

async function tables(
  client: { query(text: string): Promise<{ rows: { tablename: string }[] }> },
  schema = 'pds',
) {
  const { rows } = await client.query(`select tablename from pg_tables where schemaname = '${schema}'`)
  return rows.map(({ tablename }) => tablename)
}
