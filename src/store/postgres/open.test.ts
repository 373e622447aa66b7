import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { freePort } from '../../../test/support/free-port.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../../../test/support/postgres.ts'
import { run } from '../../../test/support/postgres-server.ts'
import { publishAll } from '../../../test/support/stored-vehicles.ts'
import { openStore } from '../open-store.ts'
import { SCHEMA } from '../registry/schema.ts'
import { StoreUnusableError } from '../store.ts'

/* A process of its own: it makes a role on the process's PostgreSQL server and expects the server's initial state. */

const options = { skip: postgresFolder() === undefined && NO_POSTGRES }
const DOCUMENTS = { kind: 'documents' } as const

async function isRefused(address: string, reason: RegExp): Promise<void> {
  await assert.rejects(openStore(address), (error: Error) => {
    assert.ok(error instanceof StoreUnusableError, String(error))
    assert.match(error.message, reason)
    assert.doesNotMatch(error.message, /secret|\n/)
    // Logs print the causes of an error with their stacks.
    assert.doesNotMatch(inspect(error, { depth: 9 }), /secret|mallory/)
    return true
  })
}

test('many instances that open an empty database at once make its schema once', options, async () => {
  const address = await (await cluster()).emptyDatabase()
  const stores = await Promise.all(Array.from({ length: 8 }, () => openStore(address)))
  await Promise.all(stores.map(store => store.close()))
  const versions = await run(address, 'select version from pds.migrations order by 1')
  assert.deepEqual(
    versions.map(({ version }) => version),
    [SCHEMA],
  )
})

test('stores of other schemas in the same database are strangers', options, async () => {
  const address = await (await cluster()).emptyDatabase()
  const [one, other] = [await openStore(address), await openStore(`${address}?schema=other`)]
  await publishAll(one, 'toilets', DOCUMENTS, [{ id: 'a' }])
  assert.equal((await other.releases.list('toilets')).length, 0)
  const staging = await one.releases.stage('toilets', DOCUMENTS)
  await (await other.releases.stage('toilets', DOCUMENTS)).discard()
  await staging.discard()
  await Promise.all([one.close(), other.close()])
})

test('read-only access does not create a store', options, async () => {
  const address = await (await cluster()).emptyDatabase()
  await assert.rejects(openStore(address, { mustExist: true }), {
    name: 'NoStoreError',
    message: /there is no store in the database test\d+ on 127\.0\.0\.1:\d+: `pds import/,
  })
  assert.deepEqual(await run(address, "select 1 from pg_namespace where nspname = 'pds'"), [])
})

test('a newer schema and one of another program are refused, and left as they are', options, async () => {
  const { emptyDatabase } = await cluster()
  const newer = await emptyDatabase()
  await (await openStore(newer)).close()
  await run(newer, 'insert into pds.migrations (version) values (99)')
  await isRefused(newer, /made by a newer version of the service \(schema 99, this one knows \d+\): run that/)

  const foreign = await emptyDatabase()
  await run(foreign, 'create table public.invoices (id integer)')
  await isRefused(
    `${foreign}?schema=public`,
    /holds another program's tables: name another schema with \?schema=/,
  )
})

test('an obstacle is reported in one line with what to do', options, async () => {
  const { port } = await cluster()
  await isRefused(`postgres://me:secret@127.0.0.1:${await freePort()}/db`, /refuses connections: start/)
  await isRefused('postgres://me:secret@no-such-host.invalid/db', /host .*(not known|looked up)/)
  await isRefused(`postgres://mallory:secret@127.0.0.1:${port}/nothing`, /refuses this user|refuses the user/)
  await isRefused(
    `postgres://pds:secret@127.0.0.1:${port}/nothing`,
    /nothing on .* does not exist: create it/,
  )
})

test('a user without permission and a read-only database are reported', options, async () => {
  const { port, emptyDatabase } = await cluster()
  const address = await emptyDatabase()
  const name = new URL(address).pathname
  await run(address, 'create role guest login')
  await isRefused(
    `postgres://guest@127.0.0.1:${port}${name}`,
    /not give this user permission.*owner of the schema/,
  )
  await run(address, `alter database ${name.slice(1)} set default_transaction_read_only = on`)
  await isRefused(address, /is a standby or read-only: name the address that leads to the primary/)
})

test(
  'a patient open waits for an unavailable server, but not for errors that have to be fixed',
  options,
  async t => {
    const { port, emptyDatabase } = await cluster()
    const name = new URL(await emptyDatabase()).pathname.slice(1)
    await assert.rejects(
      openStore(`postgres://pds@127.0.0.1:${port}/nothing`, { patient: true }),
      /does not exist: create it/,
    )
    const foreign = `postgres://pds@127.0.0.1:${port}/${name}?schema=public`
    await run(`postgres://pds@127.0.0.1:${port}/${name}`, 'create table public.invoices (id integer)')
    await assert.rejects(openStore(foreign, { patient: true }), /holds another program's tables/)

    for (const host of [`127.0.0.1:${await freePort()}`, 'no-such-host.invalid']) {
      const store = await openStore(`postgres://pds@${host}/db`, { patient: true })
      t.after(() => store.close())
      for (const asked of [
        store.releases.revision(),
        store.readings.latestObservation(),
        store.releases.sweep(),
        store.releases.firstSeen('toilets'),
      ])
        await assert.rejects(asked, StoreUnusableError)
      assert.equal(store.degraded()[0]?.part, 'primary')
    }
  },
)

test(
  'a standby that takes over without the last release gives its id and revision to no other',
  options,
  async () => {
    const { port, emptyDatabase } = await cluster()
    const address = await emptyDatabase()
    const store = await openStore(address)
    await publishAll(store, 'toilets', DOCUMENTS, [{ id: 'a' }])
    await store.close()
    const name = new URL(address).pathname.slice(1)
    await run(`postgres://pds@127.0.0.1:${port}/postgres`, `create database ${name}_copy template ${name}`)
    const [lost, other] = [await openStore(address), await openStore(`${address}_copy`)]
    const releases = [
      await publishAll(lost, 'toilets', DOCUMENTS, [{ id: 'b' }]),
      await publishAll(other, 'toilets', DOCUMENTS, [{ id: 'c' }]),
    ]
    assert.deepEqual(
      releases.map(({ number }) => number),
      [2, 2],
    )
    assert.notEqual(await lost.releases.revision(), await other.releases.revision())
    const ids = 'select locator as id from pds.releases where number = 2'
    assert.notDeepEqual(await run(address, ids), await run(`${address}_copy`, ids))
    const [release = assert.fail()] = releases
    await assert.rejects(other.releases.open(release, DOCUMENTS), /release 2 of toilets is another one now/)
    await Promise.all([lost.close(), other.close()])
  },
)
