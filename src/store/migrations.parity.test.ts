import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { emptyFolder } from '../../test/support/folder.ts'
import { pds } from '../../test/support/pds.ts'
import { run } from '../../test/support/postgres-server.ts'
import { ENGINES, type TestedEngine } from '../../test/support/store-engines.ts'
import { publishAll } from '../../test/support/stored-vehicles.ts'
import { openStore } from './open-store.ts'
import { openDatabase } from './sqlite/driver.ts'
import { registryPath } from './sqlite/folder.ts'
import { openFinishedRegistry } from './sqlite/registry.ts'
import { OldStoreError } from './store.ts'

const TOILETS = { kind: 'documents' } as const

/** Runs statements on the registry behind a store's back. `file.` or nothing precedes its tables. */
async function change(address: string, statements: (prefix: string) => string): Promise<void> {
  if (address.startsWith('postgres:')) {
    await run(address, `set search_path = pds; ${statements('')}`)
    return
  }
  const database = openDatabase(registryPath(address.slice('sqlite:'.length)))
  database.exec(statements('file.'))
  database.close()
}

/** The version of the schema, and its tables. */
async function schemaOf(address: string) {
  if (address.startsWith('postgres:')) {
    const tables = "select tablename as name from pg_tables where schemaname = 'pds' order by 1"
    return [await run(address, 'select max(version) from pds.migrations'), await run(address, tables)]
  }
  const database = openDatabase(registryPath(address.slice('sqlite:'.length)))
  const found = [
    database.prepare('pragma file.user_version').all(),
    database.prepare('select name, sql from file.sqlite_schema order by 1').all(),
  ]
  database.close()
  return found
}

/** A store with a release, as version 1.0.0 makes it. */
async function storeOfFirstVersion(t: TestContext, { emptyStore }: TestedEngine): Promise<string> {
  const address = await emptyStore(t)
  const store = await openStore(address)
  await publishAll(store, 'toilets', TOILETS, [{ id: 'a' }])
  await store.close()
  await change(address, prefix => `drop table ${prefix}journal`)
  return address
}

for (const engine of ENGINES) {
  test(`${engine.name}: stores opened at once add the missing table, while one of 1.0.0 is open`, async t => {
    const address = await engine.emptyStore(t)
    const open = await openStore(address)
    t.after(() => open.close())
    await publishAll(open, 'toilets', TOILETS, [{ id: 'a' }])
    const whole = await schemaOf(address)
    await change(address, prefix => `drop table ${prefix}journal`)
    const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(address)))
    // Version 1.0.0 refuses another version of the schema or other definitions, and ignores further tables.
    assert.deepEqual(await schemaOf(address), whole)
    assert.equal((await stores[0]?.releases.current('toilets'))?.number, 1)
    assert.deepEqual(await stores[1]?.journal.list('toilets'), [])
    await publishAll(open, 'toilets', TOILETS, [{ id: 'b' }])
    assert.equal((await stores[2]?.journal.list('toilets'))?.length, 1)
    await Promise.all(stores.map(store => store.close()))
  })

  test(`${engine.name}: pds migrate adds the missing table, and can be repeated`, async t => {
    const address = await storeOfFirstVersion(t, engine)
    for (let time = 1; time <= 2; time++) {
      const { status, stdout } = await pds('.', ['migrate'], { environment: { DATABASE_URL: address } })
      assert.deepEqual([status, /: ready for this version\n$/.test(stdout)], [0, true], stdout)
      assert.match(JSON.stringify(await schemaOf(address)), /journal/)
    }
  })

  test(`${engine.name}: a store from before 1.0.0 is left as it is, with one line that says how to bring it over`, async t => {
    const address = await storeOfFirstVersion(t, engine)
    await change(address, prefix =>
      prefix === ''
        ? 'drop table release_files; delete from migrations where version > 3'
        : 'drop table file.release_files; pragma file.user_version = 3',
    )
    const before = await schemaOf(address)
    const folder = await emptyFolder(t)
    for (const words of [['serve'], ['migrate'], ['import', 'toilets', '-'], ['backup', 'store.backup']]) {
      const environment = { DATABASE_URL: address, PORT: '0', ADMIN_PORT: '0' }
      const { status, stdout, stderr } = await pds(folder, words, { environment, input: 'name\nSteps\n' })
      assert.deepEqual([status, stdout], [1, ''])
      assert.match(
        stderr,
        /^error: [^\n]* development version from before 1\.0\.0: back it up [^\n]*pds restore FILE[^\n]*\n$/,
      )
    }
    await assert.rejects(openStore(address, { patient: true }), OldStoreError)
    assert.deepEqual(await schemaOf(address), before)
  })
}

test('a folder of 1.0.0 that cannot be written is refused with one line', async t => {
  const folder = await emptyFolder(t)
  await (await openStore(`sqlite:${folder}`)).close()
  await change(`sqlite:${folder}`, () => 'drop table file.journal')
  await assert.rejects(openFinishedRegistry(folder), {
    name: 'OldStoreError',
    message:
      /^[^\n]*registry\.sqlite lacks journal, which this version adds and this user may not: run `pds migrate`/,
  })
})
