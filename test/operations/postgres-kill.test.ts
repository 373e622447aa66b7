import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { openStore } from '../../src/store/open-store.ts'
import { DamagedReleaseError, type Staging, StoreUnusableError } from '../../src/store/store.ts'
import { holdIndexes } from '../support/held-indexes.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../support/postgres.ts'
import { startStoreProcess } from '../support/store-process.ts'
import { allRecords, appendAll, publishAll, VEHICLES, vehicles } from '../support/stored-vehicles.ts'
import { until } from '../support/until.ts'

const options = { skip: postgresFolder() === undefined && NO_POSTGRES }
const ROUNDS = 5
const BY_SQL = { engine: 'sql', prerenderBytes: 0 } as const

async function connected(address: string): Promise<Client> {
  const client = new Client({ connectionString: address })
  await client.connect()
  return client
}

async function tablesOfReleases(client: Client): Promise<string[]> {
  const { rows } = await client.query("select tablename as name from pg_tables where tablename ~ '^r[0-9]+_'")
  return rows.map(({ name }) => String(name))
}

/** Names of tables and files that belong to no release. */
async function unknown(client: Client): Promise<string[]> {
  const { rows } = await client.query('select name from pds.release_files')
  const known = rows.map(({ name }) => String(name))
  const pieces = await client.query('select distinct name from pds.release_pieces')
  return [
    ...(await tablesOfReleases(client)).filter(name => !known.includes(name.slice(1).split('_')[0] ?? '')),
    ...pieces.rows.map(({ name }) => String(name)).filter(name => !known.includes(name)),
  ]
}

/** A store with a small release, where no index can be made. */
async function indexesHeld(t: TestContext) {
  const address = await (await cluster()).emptyDatabase()
  const [store, client] = [await openStore(address, { tables: BY_SQL }), await connected(address)]
  t.after(() => Promise.all([client.end(), store.close()]))
  const current = await publishAll(store, 'vehicles', VEHICLES, vehicles(10))
  const held = await holdIndexes(t, address)
  return { address, store, client, current, ...held }
}

/** The name of the table of a release. */
async function tableOf(client: Client, number: number): Promise<string> {
  const { rows } = await client.query('select name from pds.release_files where number = $1', [number])
  return `pds."r${rows[0]?.name}_rows"`
}

for (const action of ['publish repeatedly', 'publish repeatedly for SQL'] as const)
  test(
    `an importer killed at any moment leaves a whole release current, and nothing that stays: ${action}`,
    options,
    async t => {
      const address = await (await cluster()).emptyDatabase()
      const [store, client] = [await openStore(address), await connected(address)]
      let last = 0
      for (let round = 0; round < ROUNDS; round++) {
        const killed = startStoreProcess(t, action, address)
        const published = Number(await killed.nextLine())
        assert.ok(published > last, 'numbers count up')
        // The tests vary the moment of the kill: anywhere in some imports.
        await pause((round * 137) % 401)
        await killed.kill('SIGKILL')

        // The server releases the lock as soon as it detects the closed connection.
        await (await store.releases.stage('vehicles', VEHICLES, { waitMs: 30_000 })).discard()
        await store.releases.sweep()
        await client.query('update pds.releases set retired_at = 0 where retired_at is not null')
        await store.releases.sweep()
        assert.deepEqual(await unknown(client), [])
        const kept = await store.releases.list('vehicles')
        for (const release of kept) await store.releases.verify(release)
        const current = await store.releases.current('vehicles')
        assert.ok(current !== undefined && current.number >= published)
        const opened = await store.releases.open(current, VEHICLES)
        assert.equal((await allRecords(opened)).length, current.rows)
        last = current.number
      }
      await Promise.all([client.end(), store.close()])
    },
  )

test(
  'an importer killed while it indexes a large release leaves no table and no running statement',
  options,
  async t => {
    const { address, store, client, current, indexing, release } = await indexesHeld(t)
    const killed = startStoreProcess(t, 'publish a large release for SQL', address)
    await until(async () => (await indexing()) === 1, 'an index being made')
    await killed.kill('SIGKILL')
    await until(async () => (await indexing()) === 0, 'the server giving up')
    await release()

    await (await store.releases.stage('vehicles', VEHICLES, { waitMs: 30_000 })).discard()
    await store.releases.sweep()
    assert.deepEqual(await unknown(client), [])
    assert.deepEqual(await store.releases.current('vehicles'), current)
  },
)

test('an import that is given up while it indexes is given up at once, and all of it', options, async t => {
  const { store, client, current, indexing, release } = await indexesHeld(t)
  const staging = await store.releases.stage('vehicles', VEHICLES)
  const sealing = assert.rejects(appendAll(staging, vehicles(30_000)))
  await until(async () => (await indexing()) === 1, 'an index being made')
  // Nobody releases the lock. The interrupter discards the import, and so does the import itself.
  await Promise.all([staging.discard(), staging.discard()])
  await sealing
  assert.deepEqual(await unknown(client), [])

  // Rows go on while the release is discarded, as from a source that has not heard of it.
  for (let round = 0; round < ROUNDS; round++) {
    const next = await store.releases.stage('vehicles', VEHICLES)
    let appended = 0
    let discarded: Promise<unknown> | undefined
    await assert.rejects(async () => {
      for (;;)
        for (const record of vehicles(2500)) {
          await next.append('key', record)
          if (++appended === 4000 + 700 * round) discarded = Promise.all([next.discard(), next.discard()])
        }
    }, /discarded|cancel/)
    await discarded
    assert.deepEqual(await unknown(client), [], `round ${round}`)
  }
  assert.deepEqual(await store.releases.current('vehicles'), current)
  await release()
  await publishAll(store, 'vehicles', VEHICLES, vehicles(10))
})

test('a release that was pruned is there for those that read it, for a while', options, async () => {
  const address = await (await cluster()).emptyDatabase()
  const [store, client] = [await openStore(address, { tables: BY_SQL }), await connected(address)]
  const publish = (rows: number) => publishAll(store, 'vehicles', VEHICLES, vehicles(rows))
  await publish(1)
  const oldest = await tableOf(client, 1)
  for (let rows = 2; rows <= 6; rows++) await publish(rows)
  assert.equal(await store.releases.sweep(), 0)
  assert.equal((await tablesOfReleases(client)).length, 6)
  await client.query('update pds.releases set retired_at = 0 where retired_at is not null')

  await client.query(`begin; select * from ${oldest}`)
  await store.releases.sweep()
  assert.equal((await tablesOfReleases(client)).length, 6, 'somebody reads it just now')
  await client.query('commit')
  assert.equal(await store.releases.sweep(), 1)
  assert.equal((await tablesOfReleases(client)).length, 5)
  assert.deepEqual(await unknown(client), [])
  assert.equal((await store.releases.list('vehicles')).length, 5)
  await Promise.all([client.end(), store.close()])
})

test('an import that loses its connection fails with a message, and the next succeeds', options, async () => {
  const address = await (await cluster()).emptyDatabase()
  const [store, client] = [await openStore(address, { tables: BY_SQL }), await connected(address)]
  const cut = () =>
    client.query('select pg_terminate_backend(pid) from pg_locks where locktype = $1 and objsubid = 2', [
      'advisory',
    ])
  const records = vehicles(3000)
  const start = async () => {
    const staging = await store.releases.stage('vehicles', VEHICLES, { waitMs: 30_000 })
    for (const record of records) await staging.append(String(record.hash), record)
    return staging
  }
  const details = { source: 'x', synthetic: true, changes: { added: 0, changed: 0, removed: 0 } }
  const after: ((staging: Staging) => Promise<unknown>)[] = [
    staging => staging.seal(),
    async staging => {
      await staging.seal()
      await cut()
      await staging.publish({ ...details, firstSeen: new Map() })
    },
  ]
  for (const [index, go] of after.entries()) {
    const staging = await start()
    if (index === 0) await cut()
    await assert.rejects(go(staging), (error: Error) => {
      assert.ok(error instanceof StoreUnusableError, String(error))
      assert.match(error.message, /is shutting down|does not respond/)
      return true
    })
    await staging.discard()
    assert.equal(await store.releases.current('vehicles'), undefined)
  }
  await until(async () => (await store.releases.sweep()) > 0, 'leftovers')
  assert.equal((await publishAll(store, 'vehicles', VEHICLES, records)).number, 1)
  await Promise.all([client.end(), store.close()])
})

test(
  'a release that has lost rows or its table is damaged, and the one before it is not',
  options,
  async () => {
    const address = await (await cluster()).emptyDatabase()
    const [store, client] = [await openStore(address, { tables: BY_SQL }), await connected(address)]
    const first = await publishAll(store, 'vehicles', VEHICLES, vehicles(30))
    const second = await publishAll(store, 'vehicles', VEHICLES, vehicles(40))
    await client.query(`delete from ${await tableOf(client, 2)} where position = 3`)
    await assert.rejects(store.releases.open(second, VEHICLES), DamagedReleaseError)
    await store.releases.makeCurrent('vehicles', 1)
    await assert.rejects(store.releases.makeCurrent('vehicles', 2), DamagedReleaseError)
    const opened = await store.releases.open(first, VEHICLES)
    await client.query(`drop table ${await tableOf(client, 1)}`)
    await assert.rejects(async () => opened.table?.count({ by: ['make'], filters: [] }), DamagedReleaseError)
    await assert.rejects(store.releases.open(first, VEHICLES), DamagedReleaseError)
    await Promise.all([client.end(), store.close()])
  },
)
