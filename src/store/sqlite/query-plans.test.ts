import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { emptyFolder } from '../../../test/support/folder.ts'
import { publishAll, VEHICLES, vehicles } from '../../../test/support/stored-vehicles.ts'
import type { Collection } from '../../query/collection.ts'
import type { Filter } from '../../query/query.ts'
import { openStore } from '../open-store.ts'
import { tableCollection } from '../table/table-collection.ts'
import { kyselyOver } from './dialect.ts'
import { type Database, openDatabase } from './driver.ts'
import { tableEngine } from './read/table-engine.ts'

const ROWS = 3000

/** A table over a real release file, and the text of each statement that it prepares. */
async function spiedTable(t: TestContext) {
  const folder = await emptyFolder(t)
  const store = await openStore(`sqlite:${folder}`)
  await publishAll(store, 'vehicles', VEHICLES, vehicles(ROWS))
  await store.close()
  const database = openDatabase(join(folder, 'releases', 'vehicles', '1.sqlite'), { finished: true })
  const texts: string[] = []
  const spied: Database = {
    ...database,
    prepare(sql) {
      texts.push(sql)
      return database.prepare(sql)
    },
  }
  const kysely = await kyselyOver<unknown>(spied, error => error)
  t.after(() => kysely.destroy())
  return { table: tableCollection(tableEngine(kysely), VEHICLES, ROWS), texts, database }
}

/** The plan of each statement that a query prepares. */
async function plansOf(t: TestContext, ask: (table: Collection) => unknown): Promise<string> {
  const { table, texts, database } = await spiedTable(t)
  // The list of tables is read once.
  await table.execute({ filters: [], offset: 0, limit: 0 })
  texts.length = 0
  await ask(table)
  return texts
    .flatMap(sql => database.prepare(`explain query plan ${sql}`).all() as { detail: string }[])
    .map(({ detail }) => detail)
    .join('\n')
}

const make: Filter = { field: 'make', contains: 'ford' }
const model: Filter = { field: 'model', equals: 'model 7' }
const color: Filter = { field: 'color', equals: 'blue' }
const islandDays: Filter = { field: 'firstRegisteredInJerseyAt', from: '1985-01-01', to: '1990-12-31' }
const firstDays: Filter = { field: 'firstRegisteredAt', from: '1985-01-01', to: '1990-12-31' }
const WHOLE_TABLE = /SCAN rows/
const SORTING = /TEMP B-TREE FOR ORDER BY/

test('an unfiltered page, however deep, and one in a range of island days read their rows alone', async t => {
  for (const filters of [[], [islandDays]]) {
    const plan = await plansOf(t, table => table.execute({ filters, offset: 100, limit: 30 }))
    assert.match(plan, /SEARCH rows USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)/)
    assert.doesNotMatch(plan, WHOLE_TABLE)
    assert.doesNotMatch(plan, SORTING)
  }
})

test('counts without filters and in a range of island days look at no row but the first and the last', async t => {
  assert.equal(await plansOf(t, table => table.execute({ filters: [], offset: 0, limit: 0 })), '')
  const plan = await plansOf(t, table => table.execute({ filters: [islandDays], offset: 0, limit: 0 }))
  assert.match(plan, /COVERING INDEX by_firstRegisteredInJerseyAt/)
  assert.doesNotMatch(plan, WHOLE_TABLE)
  assert.doesNotMatch(plan, SORTING)
})

test('counts by value without filters are read, not computed', async t => {
  assert.equal(await plansOf(t, table => table.count({ by: ['make'], filters: [] })), 'SCAN words_make')
})

test('a value is looked up in the dictionary, which has its row count', async t => {
  assert.equal(
    await plansOf(t, table => table.execute({ filters: [make], offset: 0, limit: 0 })),
    'SCAN words_make',
  )
})

test('the first rows of a frequent value are scanned, and those of a rare one found by index', async t => {
  for (const filters of [[make], [make, islandDays]]) {
    const plan = await plansOf(t, table => table.execute({ filters, offset: 0, limit: 10 }))
    assert.match(plan, /SEARCH rows USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)/)
    assert.match(plan, /SEARCH rows USING INTEGER PRIMARY KEY \(rowid=\?\)/)
    assert.doesNotMatch(plan, WHOLE_TABLE)
    assert.doesNotMatch(plan, SORTING)
  }
  const rare = await plansOf(t, table => table.execute({ filters: [model], offset: 0, limit: 30 }))
  assert.match(rare, /SEARCH rows USING COVERING INDEX by_model \(model=\?/)
  const both = await plansOf(t, table => table.execute({ filters: [model, color], offset: 0, limit: 30 }))
  assert.match(both, /SEARCH rows USING INDEX by_model/)
  for (const plan of [rare, both]) assert.doesNotMatch(plan, WHOLE_TABLE)
})

test('a record is found by its digest in an index', async t => {
  const filter: Filter = { field: 'hash', equals: '7'.padStart(64, '0') }
  const plan = await plansOf(t, table => table.execute({ filters: [filter], limit: 1 }))
  assert.match(plan, /SEARCH rows USING COVERING INDEX by_hash \(hash=\?\)/)
  assert.doesNotMatch(plan, WHOLE_TABLE)
})

test('a range of first days, and counts in it, come from one index that has the words beside the days', async t => {
  for (const ask of [
    (table: Collection) => table.execute({ filters: [firstDays], offset: 0, limit: 0 }),
    (table: Collection) => table.count({ by: ['make'], filters: [firstDays] }),
    (table: Collection) => table.count({ by: ['color'], filters: [firstDays] }),
    (table: Collection) => table.execute({ filters: [firstDays], offset: 0, limit: 30 }),
  ]) {
    const plan = await plansOf(t, ask)
    assert.match(plan, /SEARCH rows USING COVERING INDEX by_firstRegisteredAt \(firstRegisteredAt>\?/)
    assert.doesNotMatch(plan, WHOLE_TABLE)
  }
})

test('counts by word in a range of island days read the rows of the range alone', async t => {
  const plan = await plansOf(t, table => table.count({ by: ['make'], filters: [islandDays] }))
  assert.match(plan, /SEARCH rows USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)/)
})

test('whatever users send is a parameter: statements stay the same and texts match literally', async t => {
  const { table, texts } = await spiedTable(t)
  const payloads = [
    "' or 1=1 --",
    "'; drop table rows; --",
    '%',
    '_',
    '*',
    '" or ""="',
    '?',
    '\\',
    'x\0y',
    '1e9',
  ]
  const ask = async (text: string) => {
    const filters: Filter[] = [{ field: 'make', contains: text }, { field: 'color', equals: text }, firstDays]
    const { total, json } = await table.execute({ filters, offset: 0, limit: 5 })
    return [total, json().toString(), await table.count({ by: ['make'], filters })]
  }
  await ask('ford')
  const known = texts.length
  for (const payload of payloads) assert.deepEqual(await ask(payload), [0, '', []])
  assert.equal(texts.length, known)
  assert.equal((await table.execute({ filters: [], offset: 0, limit: 0 })).total, ROWS)
})
