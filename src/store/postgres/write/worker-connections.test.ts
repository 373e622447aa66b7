import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { cluster, NO_POSTGRES, postgresFolder } from '../../../../test/support/postgres.ts'
import { until } from '../../../../test/support/until.ts'
import { readAddress } from '../connect/address.ts'
import { openWorkerConnections } from './worker-connections.ts'

const options = { skip: postgresFolder() === undefined && NO_POSTGRES }
const MANY = 20_000

/** An empty database, a connection to it, and its address without the scheme. */
async function connected(t: TestContext, user = 'pds'): Promise<{ client: Client; address: string }> {
  const address = (await (await cluster()).emptyDatabase()).replace('pds@', `${user}@`)
  const client = new Client({ connectionString: address })
  await client.connect()
  t.after(() => client.end())
  return { client, address: address.replace(/^postgres:/, '') }
}

const processOf = async (client: Client): Promise<number> =>
  (await client.query('select pg_backend_pid() as id')).rows[0]?.id

test('many rows are worked on over two connections at once, few over the first', options, async t => {
  const { client, address } = await connected(t)
  for (const [rows, count] of [
    [MANY, 2],
    [MANY - 1, 1],
  ] as const) {
    const workers = await openWorkerConnections(readAddress(address), client, rows)
    const waiting: (() => void)[] = []
    // With two connections, each task waits for the other to start.
    const together = async (one: Client) => {
      const id = await processOf(one)
      await new Promise<void>(resolve => {
        waiting.push(resolve)
        if (waiting.length === count) for (const go of waiting) go()
      })
      return id
    }
    const ids = await workers.runAll(Array.from({ length: count }, () => together))
    assert.equal(new Set(ids).size, count)
    await workers.end()
    const left =
      "select from pg_stat_activity where datname = current_database() and application_name = 'pds'"
    await until(async () => (await client.query(left)).rows.length === 0, 'the other connection having ended')
  }
})

test('all is done over one connection where the server has no other to spare', options, async t => {
  const { client: admin } = await connected(t)
  await admin.query('create role scant login connection limit 1')
  const { client, address } = await connected(t, 'scant')
  const workers = await openWorkerConnections(readAddress(address), client, MANY)
  const own = await processOf(client)
  assert.deepEqual(await workers.runAll([processOf, processOf, processOf]), [own, own, own])
  await workers.end()
})

test(
  'the first error is thrown once all running tasks have ended, and no further task starts',
  options,
  async t => {
    const { client, address } = await connected(t)
    const workers = await openWorkerConnections(readAddress(address), client, MANY)
    let failed = () => {}
    const failure = new Promise<void>(resolve => {
      failed = resolve
    })
    const done: string[] = []
    const pieces = [
      async (one: Client) => {
        await failure
        await one.query('select 1')
        done.push('the one beside it')
      },
      async (one: Client) => {
        await one.query('select no_such_column').finally(failed)
      },
      async () => {
        done.push('the next')
      },
    ]
    await assert.rejects(workers.runAll(pieces), /no_such_column/)
    assert.deepEqual(done, ['the one beside it'])
    assert.deepEqual(await workers.runAll([async () => 'goes on']), ['goes on'])
    await workers.end()
  },
)
