import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Client } from 'pg'
import { cluster, NO_POSTGRES, postgresFolder } from '../../../../test/support/postgres.ts'
import { run } from '../../../../test/support/postgres-server.ts'
import { until } from '../../../../test/support/until.ts'
import { cut } from '../connect/connections.ts'
import { type CopyIn, startCopy } from './copy-in.ts'

const options = { skip: postgresFolder() === undefined && NO_POSTGRES }

/** More than a chunk. */
const ROWS = '1\n'.repeat(50_000)

async function copying(t: TestContext) {
  const address = await (await cluster()).emptyDatabase()
  const client = new Client({ connectionString: address })
  client.on('error', () => {})
  await client.connect()
  t.after(() => client.end().catch(() => undefined))
  await client.query('create table numbers (number integer)')
  return {
    ...{ address, client, start: () => startCopy(client, 'copy numbers from stdin') },
    count: async () =>
      (await run<{ n: string }>(address, 'select count(*)::integer as n from numbers'))[0]?.n,
  }
}

/** Writes, and lets the driver read the server's answer, as the reading of a source does. */
async function writeAndTurn(copy: CopyIn, lines: string): Promise<void> {
  await copy.write(lines)
  await turn()
}

test('rows are inserted at the end', options, async t => {
  const { start, count } = await copying(t)
  const copy = start()
  for (let chunk = 0; chunk < 20; chunk++) await copy.write(ROWS)
  assert.equal(copy.write('2\n'), undefined)
  await copy.end()
  assert.equal(await count(), 1_000_001)
  await start().end()
})

test(
  'a cancelled copy inserts nothing, at whatever point, and leaves the connection usable',
  options,
  async t => {
    const { client, start, count } = await copying(t)
    await start().cancel()
    const begun = start()
    await begun.write(ROWS)
    await begun.cancel()
    assert.throws(() => begun.write(ROWS), /the copy was cancelled/)
    const behind = start()
    const writing = assert.rejects(async () => behind.write(ROWS))
    await behind.cancel()
    await writing
    assert.equal(await count(), 0)

    const ended = start()
    await ended.write(ROWS)
    await ended.end()
    await ended.cancel()
    await client.query('select')
    assert.equal(await count(), 50_000)
  },
)

test('the error of a row is thrown by a later write, or by the end', options, async t => {
  const { client, start, count } = await copying(t)
  const wrong = /invalid input syntax for type integer: "x"/
  const copy = start()
  await assert.rejects(async () => {
    for (;;) await writeAndTurn(copy, `x\n${ROWS}`)
  }, wrong)
  assert.throws(() => copy.write(ROWS), wrong)
  await assert.rejects(copy.end(), wrong)
  await copy.cancel()

  const short = start()
  assert.equal(short.write('x\n'), undefined)
  await assert.rejects(short.end(), wrong)
  await assert.rejects(startCopy(client, 'copy nothing from stdin').end(), /"nothing" does not exist/)
  assert.equal(await count(), 0)
})

test('a connection that is lost fails the copy', options, async t => {
  const { client, start, count } = await copying(t)
  const copy = start()
  await copy.write(ROWS)
  cut(client)
  await assert.rejects(async () => {
    for (;;) await writeAndTurn(copy, ROWS)
  }, /terminated/)
  await assert.rejects(copy.end(), /terminated/)
  await copy.cancel()
  assert.equal(await count(), 0)
})

test('a writer waits while the server is behind', options, async t => {
  const { address, client, start } = await copying(t)
  const holder = new Client({ connectionString: address })
  await holder.connect()
  t.after(() => holder.end())
  await holder.query('begin; lock table numbers')
  const copy = start()
  let written = 0
  const writing = (async () => {
    for (; written < 5; written++) await copy.write(ROWS)
    await copy.end()
  })()
  const isBehind = "select from pg_locks where relation = 'numbers'::regclass and not granted"
  await until(async () => (await holder.query(isBehind)).rowCount === 1, 'the server waiting for the table')
  assert.equal(written, 0)
  await holder.query('commit')
  await writing
  assert.equal((await client.query('select from numbers')).rowCount, 250_000)
})
