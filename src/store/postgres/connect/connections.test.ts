import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { cluster, NO_POSTGRES, postgresFolder } from '../../../../test/support/postgres.ts'
import { StoreBusyError, StoreUnusableError } from '../../store.ts'
import { readAddress } from './address.ts'
import { connectionsOf, openServers } from './connections.ts'
import { kyselyOver } from './dialect.ts'
import { toStoreError } from './faults.ts'

const options = { skip: postgresFolder() === undefined && NO_POSTGRES }

async function opened(t: TestContext, size: number) {
  const address = await (await cluster()).emptyDatabase()
  const target = readAddress(`${address.replace(/^postgres:/, '')}?pool_size=${size}`)
  const servers = openServers(target)
  t.after(() => servers.end())
  const connections = connectionsOf(servers, 'reading')
  return { connections, database: kyselyOver<unknown>(connections, error => toStoreError(error, target)) }
}

test(
  'a request without a free connection fails soon, and succeeds once one is released',
  options,
  async t => {
    const { connections, database } = await opened(t, 2)
    const lent = [await connections.connect(), await connections.connect()]
    await assert.rejects(sql`select 1`.execute(database), (error: Error) => {
      assert.ok(error instanceof StoreBusyError)
      assert.match(error.message, /^all 2 connections to the database .* are in use: try again$/)
      return true
    })
    for (const client of lent) client.release()
    assert.deepEqual((await sql`select 1 as one`.execute(database)).rows, [{ one: 1 }])
  },
)

test('nothing can be written over connections that read', options, async t => {
  const { database } = await opened(t, 1)
  await assert.rejects(sql`create table t (x integer)`.execute(database), StoreUnusableError)
})

test('connections that the server ended are replaced, lent out or not', options, async t => {
  const { connections, database } = await opened(t, 2)
  const [one, other] = [await connections.connect(), await connections.connect()]
  const { rows } = await one.query('select pg_backend_pid() as pid')
  other.release()
  await database.connection().execute(async connection => {
    await assert.rejects(
      sql`select pg_terminate_backend(pg_backend_pid())`.execute(connection),
      (error: Error) => error instanceof StoreUnusableError,
    )
  })
  await sql`select pg_terminate_backend(${rows[0]?.pid}::integer)`.execute(database)
  await assert.rejects(one.query('select 1'))
  one.release(true)
  for (let n = 0; n < 3; n++)
    assert.deepEqual((await sql`select 1 as one`.execute(database)).rows, [{ one: 1 }])
})

test('whole numbers of eight bytes and sums are numbers', options, async t => {
  const { database } = await opened(t, 1)
  const { rows } = await sql`
    select 1700000000000::bigint as at, sum(x) as sum, null::bigint as none from (values (1::bigint), (2)) as v (x)
  `.execute(database)
  assert.deepEqual(rows, [{ at: 1_700_000_000_000, sum: 3, none: null }])
})
