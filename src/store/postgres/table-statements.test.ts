import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { manyVehicles } from '../../../test/support/many-vehicles.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../../../test/support/postgres.ts'
import { publishAll, VEHICLES } from '../../../test/support/stored-vehicles.ts'
import { executed } from '../../../test/support/table-cases.ts'
import type { Collection } from '../../query/collection.ts'
import type { Filter } from '../../query/query.ts'
import { openStore } from '../open-store.ts'
import { tableCollection } from '../table/table-collection.ts'
import { kyselyOver, singleConnection } from './connect/dialect.ts'
import { tableEngine } from './read/table-engine.ts'

const options = { skip: postgresFolder() === undefined && NO_POSTGRES }
const ROWS = 60_000

interface Spied {
  readonly table: Collection
  readonly sent: { text: string; values: unknown[] }[]
  readonly client: Client
  readonly address: string
  /** The release's id. */
  readonly id: string
}

let published: Promise<{ address: string; id: string }> | undefined

/** A large release, which the tests share. */
function release(): Promise<{ address: string; id: string }> {
  published ??= (async () => {
    const address = await (await cluster()).emptyDatabase()
    const store = await openStore(address)
    await publishAll(store, 'vehicles', VEHICLES, manyVehicles(ROWS))
    await store.close()
    const client = new Client({ connectionString: address })
    await client.connect()
    const { rows } = await client.query<{ id: string }>('select locator as id from pds.releases')
    await client.end()
    return { address, id: String(rows[0]?.id) }
  })()
  return published
}

/** A table over a real release, and each statement that it sends. */
async function spiedTable(t: TestContext): Promise<Spied> {
  const { address, id } = await release()
  const client = new Client({ connectionString: address })
  await client.connect()
  t.after(() => client.end())
  const sent: Spied['sent'] = []
  const query = (text: string, values: unknown[]) => {
    sent.push({ text, values })
    return client.query(text, values)
  }
  const database = kyselyOver<unknown>(singleConnection({ query } as Pick<Client, 'query'>), error => error)
  const table = tableCollection(tableEngine(database, 'pds', id), VEHICLES, ROWS)
  // The list of tables is read once.
  await table.execute({ filters: [], offset: 0, limit: 0 })
  return { table, sent, client, address, id }
}

/** The server's plan for each statement of a query. */
async function planOf({ table, sent, client }: Spied, ask: (table: Collection) => unknown): Promise<string> {
  sent.length = 0
  await ask(table)
  const plans: string[] = []
  for (const { text, values } of [...sent]) {
    const { rows } = await client.query(`explain ${text}`, values)
    plans.push(...rows.map(row => String(row['QUERY PLAN'])))
  }
  return plans.join('\n')
}

const ford: Filter = { field: 'make', contains: 'ford' }
const rare: Filter = { field: 'make', equals: 'Once' }
const model: Filter = { field: 'model', contains: 'fiesta 12' }
const blue: Filter = { field: 'color', equals: 'blue' }
const days = { from: '1985-01-10', to: '2019-12-20' }
const islandDays: Filter = { field: 'firstRegisteredInJerseyAt', ...days }
const firstDays: Filter = { field: 'firstRegisteredAt', ...days }
const oneWeek: Filter = { field: 'firstRegisteredAt', from: '1985-01-01', to: '1985-01-06' }

const ANY_ROW = /r\d+_rows/
const ALL_ROWS = /Seq Scan on r\d+_rows/
const BY_POSITION = /Index Scan using r\d+_rows_position_idx/
const BY_DAY_ALONE = /Index Only Scan using "r\d+_rows_firstRegisteredAt_position_/
const BY_MODEL_ALONE = /Index Only Scan using "?r\d+_rows_model_position_/

test('user input is in no statement', options, async t => {
  const { table, sent } = await spiedTable(t)
  const texts = new Set<string>()
  for (const text of ['ford', "' or 1=1 --", '%', '_', '\\', '$1', '"; drop table x; --', 'é', 'o']) {
    sent.length = 0
    const filters: Filter[] = [
      { field: 'make', contains: text },
      { field: 'model', contains: text },
      firstDays,
    ]
    await table.execute({ filters, offset: 0, limit: 30 })
    await table.count({ by: ['make'], filters })
    for (const statement of sent) texts.add(statement.text)
    assert.ok(!sent.some(statement => text.length > 2 && statement.text.includes(text)))
  }
  // Each of them, and those that find rows in the other way.
  assert.ok(texts.size <= 12, `${texts.size} statements`)
})

test('pages without filters or in a row range read rows by position', options, async t => {
  const spied = await spiedTable(t)
  for (const filters of [[], [islandDays]]) {
    const plan = await planOf(spied, table => table.execute({ filters, offset: 3000, limit: 30 }))
    assert.match(plan, BY_POSITION)
    assert.doesNotMatch(plan, ALL_ROWS)
  }
})

test('precomputed counts are not computed again', options, async t => {
  const spied = await spiedTable(t)
  for (const ask of [
    (table: Collection) => table.execute({ filters: [ford], offset: 0, limit: 0 }),
    (table: Collection) => table.execute({ filters: [ford, blue], offset: 0, limit: 0 }),
    (table: Collection) => table.execute({ filters: [ford, model, blue], offset: 0, limit: 0 }),
    (table: Collection) => table.execute({ filters: [firstDays], offset: 0, limit: 0 }),
    (table: Collection) => table.execute({ filters: [islandDays], offset: 0, limit: 0 }),
    (table: Collection) => table.count({ by: ['make'], filters: [] }),
    (table: Collection) => table.count({ by: ['color'], filters: [ford, model] }),
  ])
    assert.doesNotMatch(await planOf(spied, ask), ANY_ROW)
})

test('in a range of days only the rows of the days at its ends are counted', options, async t => {
  const spied = await spiedTable(t)
  for (const ask of [
    (table: Collection) => table.count({ by: ['make'], filters: [firstDays] }),
    (table: Collection) => table.execute({ filters: [ford, firstDays], offset: 0, limit: 0 }),
  ]) {
    const plan = await planOf(spied, ask)
    assert.match(plan, /r\d+_spans_firstRegisteredAt_make/)
    assert.equal(plan.match(new RegExp(BY_DAY_ALONE, 'g'))?.length, 2)
    assert.doesNotMatch(plan, ALL_ROWS)
  }
  const onIsland = await planOf(spied, table => table.count({ by: ['color'], filters: [islandDays] }))
  assert.match(onIsland, /r\d+_spans_firstRegisteredInJerseyAt_color/)
  assert.equal(onIsland.match(new RegExp(BY_POSITION, 'g'))?.length, 2)
})

test('rows of a frequent value are scanned, and those of a rare one looked up', options, async t => {
  const spied = await spiedTable(t)
  for (const filters of [[ford], [ford, blue], [ford, firstDays]]) {
    const plan = await planOf(spied, table => table.execute({ filters, offset: 60, limit: 30 }))
    assert.match(plan, BY_POSITION)
    assert.doesNotMatch(plan, ALL_ROWS)
  }
  const lookedUp = await planOf(spied, table => table.execute({ filters: [rare], offset: 0, limit: 30 }))
  assert.match(lookedUp, /r\d+_rows_make_idx/)
  for (const filters of [[model], [model, firstDays], [model, blue, islandDays]]) {
    const plan = await planOf(spied, table => table.execute({ filters, offset: 0, limit: 30 }))
    assert.match(plan, BY_MODEL_ALONE)
    assert.doesNotMatch(plan, ALL_ROWS)
  }
  assert.match(
    await planOf(spied, table => table.execute({ filters: [oneWeek], offset: 0, limit: 30 })),
    BY_DAY_ALONE,
  )
})

test('a substring is looked up in the trigram pieces, then in their values', options, async t => {
  const spied = await spiedTable(t)
  const plan = await planOf(spied, table => table.execute({ filters: [model], offset: 0, limit: 0 }))
  assert.match(plan, /r\d+_parts_model/)
  assert.match(plan, /r\d+_words_model_piece_idx/)
  assert.doesNotMatch(plan, /Seq Scan on r\d+_words_model/)
})

test(
  'a release of an earlier build, with only rows and dictionaries, gives the same results',
  options,
  async t => {
    const { client, address, id, table } = await spiedTable(t)
    const questions: Filter[][] = [
      ...[[], [ford], [rare], [model], [ford, blue], [firstDays], [islandDays], [oneWeek]],
      ...[
        [ford, firstDays],
        [model, blue, islandDays],
      ],
    ]
    const ask = async (of: Collection) => {
      const answers: unknown[] = []
      for (const filters of questions)
        answers.push(
          await executed(of, { filters, offset: 20, limit: 30 }),
          await of.count({ by: ['color'], filters }),
        )
      return answers
    }
    const answers = await ask(table)
    const { rows } = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where tablename ~ '^r\\d+_(days|spans|combined|parts)_?'",
    )
    assert.ok(rows.length > 8)
    const dropping = new Client({ connectionString: address })
    await dropping.connect()
    for (const { name } of rows) await dropping.query(`drop table pds."${name}"`)
    await dropping.query(`alter table pds."r${id}_words_model" drop column piece`)
    await dropping.end()
    published = undefined
    const store = await openStore(address)
    t.after(() => store.close())
    const [kept] = await store.releases.list('vehicles')
    const opened = kept && (await store.releases.open(kept, VEHICLES))
    assert.ok(opened?.table)
    assert.deepEqual(await ask(opened.table), answers)
  },
)
