import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import type { Collection, CountKey, Filter, StoredRecord } from '../../../src/query/query.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { manyVehicles } from '../../support/many-vehicles.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../../support/postgres.ts'
import { run } from '../../support/postgres-server.ts'
import { temporaryStore } from '../../support/service.ts'
import { allRecords, appendAll, publishAll, VEHICLES } from '../../support/stored-vehicles.ts'
import { served } from '../../support/table-cases.ts'

/* What a register that outgrows memory promises: users' texts are in no statement, and an import is whole or nothing. */

const options = { skip: postgresFolder() === undefined && NO_POSTGRES }
const ROWS = 60_000
const BY_SQL = { engine: 'sql', prerenderBytes: 0 } as const
const RECORDS = manyVehicles(ROWS)

let published: Promise<string> | undefined

/** The address of a database with a large release, which the tests share. */
function register(): Promise<string> {
  published ??= (async () => {
    const address = await (await cluster()).emptyDatabase()
    const store = await openStore(address, { tables: BY_SQL })
    await publishAll(store, 'vehicles', VEHICLES, RECORDS)
    await store.close()
    return address
  })()
  return published
}

async function open(store: Store) {
  const release = (await store.releases.current('vehicles')) ?? assert.fail()
  const opened = await store.releases.open(release, VEHICLES)
  return { ...opened, table: opened.table ?? assert.fail() }
}

type Ask = (table: Collection) => unknown

const firstDays: Filter = { field: 'firstRegisteredAt', from: '1985-01-10', to: '2019-12-20' }

const page =
  (filters: Filter[], offset = 0): Ask =>
  table =>
    table.execute({ filters, offset, limit: 30 })
const count =
  (key: CountKey, filters: Filter[]): Ask =>
  table =>
    table.count({ by: [key], filters })

test(
  'postgres: what users send is in no statement, and is read over connections that cannot write',
  options,
  async t => {
    const { table } = await open(await temporaryStore(t, await register(), BY_SQL))
    const sent: { text: string; client: Client }[] = []
    const { query } = Client.prototype
    t.mock.method(Client.prototype, 'query', function (this: Client, ...asked: Parameters<typeof query>) {
      const [first] = asked as unknown as [string | { text: string }]
      sent.push({ text: typeof first === 'string' ? first : first.text, client: this })
      return query.apply(this, asked)
    } as typeof query)
    const texts = new Set<string>()
    for (const text of ['ford', "' or 1=1 --", '%', '_', '\\', '$1', '"; drop table x; --', 'é', 'o']) {
      sent.length = 0
      const filters: Filter[] = [
        { field: 'make', contains: text },
        { field: 'model', contains: text },
        firstDays,
      ]
      await page(filters)(table)
      await count('make', filters)(table)
      assert.ok(sent.length > 0)
      for (const statement of sent) texts.add(statement.text)
      assert.ok(!sent.some(statement => text.length > 2 && statement.text.includes(text)))
    }
    // Each of them, and those that find rows in the other way.
    assert.ok(texts.size <= 12, `${texts.size} statements`)
    for (const client of new Set(sent.map(({ client }) => client))) {
      const { rows } = await client.query('show default_transaction_read_only')
      assert.deepEqual(rows, [{ default_transaction_read_only: 'on' }])
    }
  },
)

test('postgres: a large import gives its records back', options, async t => {
  const store = await temporaryStore(t, await (await cluster()).emptyDatabase(), BY_SQL)
  await publishAll(store, 'vehicles', VEHICLES, RECORDS)
  const opened = await open(store)
  assert.ok(JSON.stringify(await allRecords(opened)) === JSON.stringify(served(RECORDS)), 'the same records')
})

test('postgres: a large import that has a bad record leaves nothing', options, async t => {
  const address = await (await cluster()).emptyDatabase()
  const store = await temporaryStore(t, address, BY_SQL)
  const tables = async () => (await run(address, "select from pg_tables where schemaname = 'pds'")).length
  const before = await tables()
  const load = async (records: readonly StoredRecord[]) => {
    const staging = await store.releases.stage('vehicles', VEHICLES)
    await appendAll(staging, records).finally(staging.discard)
  }
  const [record = assert.fail(), ...others] = RECORDS.slice(0, 25_000)
  for (const wrong of [{ cylinderCapacity: Number.NaN }, { firstRegisteredAt: 'yesterday' }])
    await assert.rejects(load([...others, { ...record, ...wrong }]), TypeError)
  await load(others)
  assert.equal(await tables(), before)
})

test('postgres: a large import needs one connection', options, async t => {
  const address = await (await cluster()).emptyDatabase()
  await run(address, 'create role scant login')
  await run(address, `alter database ${new URL(address).pathname.slice(1)} owner to scant`)
  const store = await temporaryStore(t, address.replace('pds@', 'scant@'), BY_SQL)
  const staging = await store.releases.stage('vehicles', VEHICLES)
  const records = RECORDS.slice(0, 25_000)
  for (const one of records) await staging.append(String(one.hash), one)
  const used = await run(address, "select from pg_stat_activity where usename = 'scant'")
  await run(address, `alter role scant connection limit ${used.length}`)
  assert.equal((await staging.seal()).rows, records.length)
  await staging.discard()
})
