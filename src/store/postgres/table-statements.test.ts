import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { cluster, NO_POSTGRES, postgresFolder } from '../../../test/support/postgres.ts'
import { publishAll, VEHICLES, vehicles } from '../../../test/support/stored-vehicles.ts'
import type { Filter, Table } from '../layout.ts'
import { openStore } from '../open-store.ts'
import { tableQueries } from '../table-queries.ts'
import { kyselyOver, only } from './dialect.ts'
import { contains } from './open-release.ts'
import { releaseTables } from './release-tables.ts'

const options = { skip: postgresFolder() === undefined && NO_POSTGRES }
const ROWS = 30_000

/** A table over a real release, and each statement that it sends. */
async function spiedTable(t: TestContext) {
  const address = await (await cluster()).emptyDatabase()
  const store = await openStore(address)
  await publishAll(store, 'vehicles', VEHICLES, vehicles(ROWS))
  await store.close()
  const client = new Client({ connectionString: address })
  await client.connect()
  t.after(() => client.end())
  const sent: { text: string; values: unknown[] }[] = []
  const query = (text: string, values: unknown[]) => {
    sent.push({ text, values })
    return client.query(text, values)
  }
  const database = kyselyOver<unknown>(only({ query } as Pick<Client, 'query'>), error => error)
  const engine = { database, contains, table: releaseTables('pds', 1).table, codesFirst: true }
  return { table: tableQueries(engine, VEHICLES, ROWS), sent, client }
}

const islandDays: Filter = { column: 'firstRegisteredInJerseyAt', from: '1985-01-01', to: '1985-12-31' }
const firstDays: Filter = { column: 'firstRegisteredAt', from: '1985-01-01', to: '1985-12-31' }

test('what users send is in no statement', options, async t => {
  const { table, sent } = await spiedTable(t)
  const texts = new Set<string>()
  for (const text of ['ford', "' or 1=1 --", '%', '_', '\\', '$1', '"; drop table x; --', 'é', '']) {
    sent.length = 0
    const filters: Filter[] = [
      { column: 'make', contains: text },
      { column: 'color', equals: text },
    ]
    await table.page(filters, 0, 30)
    await table.countBy('make', filters)
    texts.add(sent.map(statement => statement.text).join('\n'))
    assert.ok(!sent.some(statement => text.length > 2 && statement.text.includes(text)))
  }
  // A page without records is not asked for.
  assert.ok(texts.size <= 2)
})

test('questions that are asked often find their rows by an index', options, async t => {
  const { table, sent, client } = await spiedTable(t)
  async function planOf(ask: (table: Table) => unknown): Promise<string> {
    sent.length = 0
    await ask(table)
    const plans: string[] = []
    for (const { text, values } of [...sent]) {
      const { rows } = await client.query(`explain ${text}`, values)
      plans.push(...rows.map(row => String(row['QUERY PLAN'])))
    }
    return plans.join('\n')
  }
  const wholeTable = /Seq Scan on r1_rows/
  for (const filters of [[], [islandDays]])
    assert.doesNotMatch(await planOf(asked => asked.page(filters, 100, 30)), wholeTable)
  const inStretch = await planOf(asked => asked.countBy('make', [islandDays]))
  assert.match(inStretch, /Index Only Scan using "?r1_rows_position/)
  const inRange = await planOf(asked => asked.countBy('make', [firstDays]))
  assert.match(inRange, /Index Only Scan using "?r1_rows_firstRegisteredAt/)
  const unfiltered = await planOf(asked => asked.countBy('make', []))
  assert.doesNotMatch(unfiltered, /r1_rows/)
  const rare = await planOf(asked => asked.page([{ column: 'model', equals: 'model 7' }], 0, 30))
  assert.doesNotMatch(rare, wholeTable)
})
