import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { emptyFolder } from '../../test/support/folder.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../../test/support/postgres.ts'
import { run } from '../../test/support/postgres-server.ts'
import { openStore } from './open-store.ts'
import { MIGRATIONS as OF_POSTGRES } from './postgres/migrate.ts'
import { openDatabase } from './sqlite/driver.ts'
import { MIGRATIONS as OF_SQLITE } from './sqlite/registry.ts'

const [FIRST_OF_SQLITE = '', FIRST_OF_POSTGRES = ''] = [OF_SQLITE[0], OF_POSTGRES[0]]

/** A reading and a release, as version 1 of the schema has them. */
const ROWS = (prefix: string) => `
  insert into ${prefix}reading_names (code, name) values ('A', 'Pier');
  insert into ${prefix}observations (at) values (600000);
  insert into ${prefix}readings (at, name_id, ordinal, spaces) values (600000, 1, 0, 7);
  insert into ${prefix}first_seen (dataset, id, seen) values ('toilets', 'a', '2024-01-01T00:00:00.000Z');`

/** Makes a store of version 1, and gives its address. */
const VERSION_1: Readonly<Record<string, (t: TestContext) => Promise<string>>> = {
  async sqlite(t) {
    const folder = await emptyFolder(t)
    const database = openDatabase(join(folder, 'registry.sqlite'))
    database.exec(`${FIRST_OF_SQLITE};${ROWS('file.')}`)
    database.exec('pragma file.application_id = 0x50445372; pragma file.user_version = 1')
    database.close()
    return `sqlite:${folder}`
  },
  async postgres() {
    const address = await (await cluster()).emptyDatabase()
    await run(
      address,
      `create schema pds;
      create table pds.migrations (version integer primary key, applied_at timestamptz not null default now());
      set search_path = pds;
      ${FIRST_OF_POSTGRES};${ROWS('')}
      insert into pds.migrations (version) values (1)`,
    )
    return address
  },
}

for (const [engine, make] of Object.entries(VERSION_1))
  test(`${engine}: a store of version 1 is migrated with what it has, and takes what is new`, {
    skip: engine === 'postgres' && postgresFolder() === undefined && NO_POSTGRES,
  }, async t => {
    const store = await openStore(await make(t))
    t.after(() => store.close())
    const kept = async () =>
      (await store.readings.readings({ from: 0, to: 3_600_000 })).map(({ at, spaces }) => [at, spaces])
    assert.deepEqual(await kept(), [[600_000, 7]])
    const reading = { at: 900_000, code: 'A', name: 'Pier', spaces: 9, open: null, status: null }
    await store.readings.saveHistory([reading], 'history.csv')
    const { batches, feed } = await store.readings.origins()
    assert.deepEqual([batches.length, feed?.readings], [1, 1])
    await store.readings.removeBatch(1)
    assert.deepEqual(await kept(), [[600_000, 7]])
    await store.incidents.save({ key: 'a', type: 'disk.nearly-full', data: {} })
    assert.equal((await store.incidents.list()).length, 1)
    assert.equal((await store.leases?.acquireLease('sources', 1000))?.leading, true)
    assert.equal(
      (await store.coordination?.acquireLease('feed', 1000))?.leading,
      engine === 'postgres' || undefined,
    )
  })
