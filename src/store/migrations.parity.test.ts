import assert from 'node:assert/strict'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { emptyFolder } from '../../test/support/folder.ts'
import { pds, startPds } from '../../test/support/pds.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../../test/support/postgres.ts'
import { run } from '../../test/support/postgres-server.ts'
import { until } from '../../test/support/until.ts'
import { openStore } from './open-store.ts'
import { MIGRATIONS as OF_POSTGRES } from './postgres/migrate.ts'
import { openDatabase } from './sqlite/driver.ts'
import { MIGRATIONS as OF_SQLITE } from './sqlite/registry.ts'
import { OldStoreError } from './store.ts'

const [FIRST_OF_SQLITE = '', FIRST_OF_POSTGRES = ''] = [OF_SQLITE[0], OF_POSTGRES[0]]

/** A reading and a release, as version 1 of the schema has them. */
const ROWS = (prefix: string) => `
  insert into ${prefix}reading_names (code, name) values ('A', 'Pier');
  insert into ${prefix}observations (at) values (600000);
  insert into ${prefix}readings (at, name_id, ordinal, spaces) values (600000, 1, 0, 7);
  insert into ${prefix}first_seen (dataset, id, seen) values ('toilets', 'a', '2024-01-01T00:00:00.000Z');`

interface OldStore {
  readonly address: string
  /** Everything that it keeps. */
  content(): Promise<unknown>
}

/** Makes a store of version 1. */
const VERSION_1: Readonly<Record<string, (t: TestContext) => Promise<OldStore>>> = {
  async sqlite(t) {
    const folder = await emptyFolder(t)
    await mkdir(join(folder, 'releases'))
    const database = openDatabase(join(folder, 'registry.sqlite'))
    database.exec(`${FIRST_OF_SQLITE};${ROWS('file.')}`)
    database.exec('pragma file.application_id = 0x50445372; pragma file.user_version = 1')
    database.close()
    return {
      address: `sqlite:${folder}`,
      content: async () => ({
        files: await readdir(folder, { recursive: true }),
        registry: (await readFile(join(folder, 'registry.sqlite'))).toString('latin1'),
      }),
    }
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
    return {
      address,
      content: () =>
        run(
          address,
          `select t.table_name, string_agg(column_name, ' ' order by ordinal_position) as columns,
            (select max(version) from pds.migrations) as version
          from information_schema.tables t join information_schema.columns using (table_schema, table_name)
          where table_schema = 'pds' group by 1 order by 1`,
        ),
    }
  },
}
const TO = OF_SQLITE.length

for (const [engine, make] of Object.entries(VERSION_1)) {
  const options = { skip: engine === 'postgres' && postgresFolder() === undefined && NO_POSTGRES }

  test(
    `${engine}: a store of version 1 is migrated with what it has, and takes what is new`,
    options,
    async t => {
      const { address } = await make(t)
      const migrated: object[] = []
      const store = await openStore(address, { onMigrated: versions => migrated.push(versions) })
      assert.deepEqual(migrated, [{ from: 1, to: TO }])
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
    },
  )

  test(
    `${engine}: a store of version 1 stays as it is unless whoever opens it may migrate it`,
    options,
    async t => {
      const { address, content } = await make(t)
      const before = await content()
      for (const how of [{}, { mustExist: true }, { discardUnused: true }, { patient: true }])
        await assert.rejects(openStore(address, how), OldStoreError)
      assert.deepEqual(await content(), before)
    },
  )

  test(
    `${engine}: commands that only look say that the store needs pds migrate, and change nothing`,
    options,
    async t => {
      const { address, content } = await make(t)
      const before = await content()
      const folder = await emptyFolder(t)
      const environment = { DATABASE_URL: address, PORT: '0', ADMIN_PORT: '0' }
      const some = [['releases'], ['backup', 'store.backup'], ['import', 'toilets', '-', '--dry-run']]
      const others = [
        ...['sources', 'history'].map(name => [name]),
        ...['releases', 'rollback', 'diff', 'export'].map(name => [name, 'toilets']),
        ...[
          ['history', 'remove', '1'],
          ['copy', '--to', 'sqlite:./copied'],
        ],
        ['import', 'live-spaces', '-', '--dry-run'],
      ]
      // What the engines share is tried on one of them.
      const commands = engine === 'sqlite' ? [...some, ...others] : some
      for (const words of commands) {
        const { status, stdout, stderr } = await pds(folder, words, { environment, input: 'name\nSteps\n' })
        assert.deepEqual([status, stdout], [1, ''], words.join(' '))
        assert.match(
          stderr,
          /^error: [^\n]* version 1 of the schema, [^\n]* the store needs `pds migrate`[^\n]*\n$/,
        )
      }
      const { stdout } = await pds(folder, ['doctor'], { environment })
      assert.match(stdout, /^warn +store +.* has version 1 of the schema/m)
      assert.match(stdout, /the store needs `pds migrate`/)
      const filled = `sqlite:${await emptyFolder(t)}`
      await (await openStore(filled)).close()
      const copied = await pds(folder, ['copy', '--from', filled, '--to', address])
      assert.deepEqual([copied.status, /needs `pds migrate`/.test(copied.stderr)], [1, true], copied.stderr)
      assert.deepEqual(await content(), before)
    },
  )

  const WENT = new RegExp(
    `: the schema went from version 1 to ${TO}, and older versions cannot open it any more`,
  )

  test(
    `${engine}: pds migrate, import, serve and demo migrate a store, and say so in one line`,
    options,
    async t => {
      const folder = await emptyFolder(t)
      const migrating = async (words: string[], input = '') => {
        const { address } = await make(t)
        const environment = { DATABASE_URL: address }
        const { status, stdout, stderr } = await pds(folder, words, { environment, input })
        assert.equal(status, 0, stderr)
        assert.equal((await pds(folder, ['releases'], { environment })).status, 0)
        return { stdout, stderr }
      }
      assert.match((await migrating(['migrate'])).stdout, WENT)
      assert.deepEqual(JSON.parse((await migrating(['migrate', '--json'])).stdout), { from: 1, to: TO })
      const toilets = 'name,parish\nSteps,St. Helier\n'
      assert.match((await migrating(['import', 'toilets', '-'], toilets)).stderr, WENT)
      for (const command of ['serve', 'demo']) {
        const { address } = await make(t)
        const child = startPds(folder, [command], { DATABASE_URL: address, PORT: '0', ADMIN_PORT: '0' })
        t.after(() => child.kill('SIGKILL'))
        let said = ''
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', chunk => {
            said += chunk
          })
        await until(() => WENT.test(said), `pds ${command} says it`)
        if (command === 'serve') assert.match(said, /"event":"store-migrated"/)
        child.kill('SIGKILL')
      }
    },
  )
}
