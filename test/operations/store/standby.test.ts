import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { openStore } from '../../../src/store/open-store.ts'
import { readAddress } from '../../../src/store/postgres/connect/address.ts'
import { openServers, type Servers } from '../../../src/store/postgres/connect/connections.ts'
import { registryOver } from '../../../src/store/postgres/connect/session.ts'
import { releaseReader } from '../../../src/store/postgres/open-release.ts'
import { type Store, StoreUnusableError } from '../../../src/store/store.ts'
import { NO_STANDBY, type PostgresPair, startPair } from '../../support/standby.ts'
import { allRecords, publishAll, VEHICLES, vehicles } from '../../support/stored-vehicles.ts'
import { until } from '../../support/until.ts'

const options = { skip: NO_STANDBY }

/** Standbys that cancel queries in conflict with recovery at once. */
const STRICT = { hot_standby_feedback: 'off', max_standby_streaming_delay: '100ms' }

interface Shared extends PostgresPair {
  /** The name of the database. */
  readonly database: string
  readonly store: Store
  readonly urls: { readonly databaseUrl: string; readonly readUrl: string }
}

/** A store in its own database, written on one of two servers and read from the other, by SQL. */
async function shared(t: TestContext, pair: PostgresPair, database: string): Promise<Shared> {
  await pair.primary.run(`create database ${database}`)
  const [databaseUrl, readUrl] = [pair.primary.address(database), pair.standby.address(database)]
  await (await openStore(databaseUrl)).close()
  await pair.standby.catchUp(pair.primary)
  const store = await openStore(databaseUrl, { readUrl, tables: { engine: 'sql', prerenderBytes: 0 } })
  t.after(() => store.close())
  return { ...pair, database, store, urls: { databaseUrl, readUrl } }
}

/** The servers of a store, for the test to ask. */
function serversOf(t: TestContext, { urls: { databaseUrl, readUrl } }: Shared): Servers {
  const servers = openServers(readAddress(databaseUrl), readUrl)
  t.after(() => Promise.all([servers.primary.end(), servers.reader?.end()]))
  return servers
}

const come = (ask: () => Promise<unknown>, what: string) =>
  until(
    () =>
      ask().then(
        () => true,
        () => false,
      ),
    what,
  )

test('a primary with a standby', options, async t => {
  const pair = await startPair(t, STRICT)
  await t.test(
    'a standby that is behind is read from as soon as it has a release, and takes nothing back',
    async t => {
      const { store, primary, standby } = await shared(t, pair, 'behind')
      await publishAll(store, 'vehicles', VEHICLES, vehicles(100))
      await standby.catchUp(primary)
      await standby.pauseReplay()
      const second = await publishAll(store, 'vehicles', VEHICLES, vehicles(120))
      const known = await store.releases.revision()

      // The primary serves it until the standby has it.
      const opened = await store.releases.open(second, VEHICLES)
      assert.equal((await allRecords(opened)).length, 120)

      await primary.kill()
      await assert.rejects(store.releases.revision(), StoreUnusableError)
      await assert.rejects(store.releases.current('vehicles'), StoreUnusableError)
      await assert.rejects(store.releases.open(second, VEHICLES), StoreUnusableError)
      assert.equal(store.degraded()[0]?.part, 'primary')

      await standby.resumeReplay()
      await come(() => store.releases.revision(), 'the word of the standby')
      assert.equal(await store.releases.revision(), known)
      assert.deepEqual(await store.releases.current('vehicles'), second)
      assert.equal((await allRecords(opened)).length, 120)
      assert.equal((await allRecords(await store.releases.open(second, VEHICLES))).length, 120)

      await primary.start()
      await until(() => store.degraded().length === 0, 'the primary being back')
    },
  )

  await t.test(
    'while the standby is away the primary is read from, and the standby again once it is back',
    async t => {
      const { store, primary, standby } = await shared(t, pair, 'away')
      const release = await publishAll(store, 'vehicles', VEHICLES, vehicles(100))
      await standby.catchUp(primary)
      const { table } = await store.releases.open(release, VEHICLES)
      const ask = () => table?.execute({ filters: [], offset: 0, limit: 10 }) ?? assert.fail()
      await standby.kill()
      assert.equal((await ask()).total, 100)
      const [trouble] = store.degraded()
      assert.equal(trouble?.part, 'reader')
      assert.match(trouble?.detail ?? '', /^the database away on 127\.0\.0\.1:\d+ refuses connections/)
      await standby.start()
      // Nobody asks it meanwhile.
      await until(() => store.degraded().length === 0, 'the standby being back')
      // Only the standby is available now.
      await primary.kill()
      assert.equal((await ask()).total, 100)
      await primary.start()
    },
  )

  await t.test('a query that recovery cancels on a standby is retried elsewhere', async t => {
    const all = await shared(t, pair, 'conflict')
    const { database, store, primary, standby } = all
    await publishAll(store, 'vehicles', VEHICLES, vehicles(100))
    const [release] = await primary.run<{ id: string }>('select locator as id from pds.releases', database)
    await primary.run('create table pds.r99_documents as select 1 as position', database)
    await standby.catchUp(primary)
    const servers = serversOf(t, all)
    const { target } = servers.primary
    const reader = registryOver(releaseReader(servers, String(release?.id)), target)
    const where = sql<{ standby: boolean }>`
    select pg_is_in_recovery() as standby, pg_sleep(case when pg_is_in_recovery() then 20 else 0 end), count(*)
    from pds.r99_documents`
    const asking = where.execute(reader)
    const sleeps = "select 1 from pg_stat_activity where wait_event = 'PgSleep'"
    await until(async () => (await standby.run(sleeps, database)).length > 0, 'the question being asked')
    // It conflicts with the query's lock, and the standby may wait for 100 ms.
    await primary.run('alter table pds.r99_documents add more integer', database)
    assert.deepEqual(
      (await asking).rows.map(({ standby }) => standby),
      [false],
    )
    const alone = servers.reader && registryOver(servers.reader, target)
    assert.ok(alone && (await sql`select 1`.execute(alone)).rows.length === 1, 'the standby is not given up')
  })

  await t.test('nothing can be written where nothing is to be', async t => {
    const all = await shared(t, pair, 'rights')
    const { database, primary } = all
    const statements = [
      'insert into pds.observations values (1)',
      'delete from pds.releases',
      'update pds.state set revision = 0',
      'create table pds.x (y integer)',
      'drop table pds.releases',
    ]
    const { reader = assert.fail() } = serversOf(t, all)
    const { query } = await reader.connect()
    for (const statement of statements) await assert.rejects(query(statement), { code: '25006' }, statement)
    // A read-only user cannot write even in a read-write session.
    await primary.run('create role reader login', database)
    await primary.run('grant usage on schema pds to reader', database)
    await primary.run('grant select on all tables in schema pds to reader', database)
    const client = new Client({ connectionString: primary.address(database).replace('pds@', 'reader@') })
    client.on('error', () => {})
    await client.connect()
    for (const statement of statements)
      await assert.rejects(client.query(statement), { code: '42501' }, statement)
    await client.end()
    const store = await openStore(primary.address(database).replace('pds@', 'reader@'))
    assert.equal(await store.releases.revision(), 0)
    assert.equal(await store.releases.sweep(), 0)
    await store.close()
  })
})
