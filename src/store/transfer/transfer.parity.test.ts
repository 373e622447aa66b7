import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { contentOf, fillStore, STORED } from '../../../test/support/filled-stores.ts'
import { emptyFolder } from '../../../test/support/folder.ts'
import { run } from '../../../test/support/postgres-server.ts'
import { ENGINES, type TestedEngine } from '../../../test/support/store-engines.ts'
import { publishAll, VEHICLES, vehicles } from '../../../test/support/stored-vehicles.ts'
import { openStore } from '../open-store.ts'
import { columnsOf, keyOf, TABLE_NAMES } from '../registry/columns.ts'
import { openDatabase } from '../sqlite/driver.ts'
import { registryPath } from '../sqlite/folder.ts'
import type { Store } from '../store.ts'
import { writeBackup } from './backup-file.ts'
import { storeLines } from './store-lines.ts'
import { createTally } from './tally.ts'
import { backUp, copyStore, openMoment, restore, verifyBackup } from './transfer.ts'

const options = { datasets: STORED }

async function filledStore(t: TestContext, engine: TestedEngine): Promise<string> {
  const address = await engine.emptyStore(t)
  const store = await openStore(address)
  await fillStore(store)
  await store.close()
  return address
}

for (const engine of ENGINES) {
  test(`${engine.name}: a backup and a copy have all that the store had, on every engine`, async t => {
    const source = await filledStore(t, engine)
    const before = await contentOf(source)
    assert.deepEqual(
      before.releases.map(({ dataset, number, currentSince }) => [dataset, number, currentSince !== null]),
      [['vehicles', 1, true], ...[6, 5, 4, 3, 2].map(number => ['toilets', number, number === 4])],
    )
    const file = join(await emptyFolder(t), 'backup')
    const written = await backUp(source, file, options)
    assert.deepEqual(await verifyBackup(file, options), written)
    assert.deepEqual([written.engine, written.missing], [engine.name, []])
    for (const to of ENGINES) {
      const [restored, copied] = [await to.emptyStore(t), await to.emptyStore(t)]
      await restore(file, restored, options)
      await copyStore(source, copied, options)
      for (const target of [restored, copied]) assert.deepEqual(await contentOf(target), before)
      await goesOn(restored)
    }
    assert.deepEqual(await contentOf(source), before)
  })

  test(`${engine.name}: a backup has the releases that are pruned while it is written`, async t => {
    const source = await filledStore(t, engine)
    const before = await contentOf(source)
    const moment = await openMoment(source)
    t.after(() => moment.end())
    const store = await openStore(source)
    for (let name = 0; name < 6; name++)
      await publishAll(store, 'toilets', { kind: 'documents' }, [{ id: 'a', name }])
    await store.releases.sweep()
    const numbers = (await store.releases.list('toilets')).map(({ number }) => number)
    await store.close()
    assert.deepEqual(numbers, [12, 11, 10, 9, 8])
    const file = join(await emptyFolder(t), 'backup')
    const tally = createTally({})
    await writeBackup(storeLines(moment, { datasets: STORED, tally }), file)
    assert.deepEqual(tally.carried.missing, [])
    const target = await engine.emptyStore(t)
    await restore(file, target, options)
    assert.deepEqual(await contentOf(target), before)
  })

  test(`${engine.name}: a store that has refused its first import is empty`, async t => {
    const source = await filledStore(t, engine)
    const target = await engine.emptyStore(t)
    const store = await openStore(target)
    const refused = { event: 'refused', actor: 'schedule', release: null, hash: null } as const
    await store.journal.add({ dataset: 'toilets', source: 'toilets.csv', ...refused })
    await store.close()
    await copyStore(source, target, options)
    const filled = await openStore(target)
    const events = (await filled.journal.list('toilets')).map(({ event }) => event)
    await filled.close()
    assert.ok(!events.includes('refused'), events.join())
  })

  test(`${engine.name}: only an empty store is filled`, async t => {
    const source = await filledStore(t, engine)
    const fills: readonly ((store: Store) => Promise<unknown>)[] = [
      store => publishAll(store, 'vehicles', VEHICLES, vehicles(3)),
      store => store.readings.saveObservation({ timestamp: '2026-03-01T10:00:00.000Z', entries: [] }),
    ]
    for (const fill of fills) {
      const target = await engine.emptyStore(t)
      const store = await openStore(target)
      await fill(store)
      await store.close()
      const before = await contentOf(target)
      await assert.rejects(copyStore(source, target, options), /is not empty \(its table \w+ has rows\)/)
      assert.deepEqual(await contentOf(target), before)
    }
  })

  test(`${engine.name}: every table and column of the schema is carried, but for a store's own`, async t => {
    const address = await engine.emptyStore(t)
    await (await openStore(address)).close()
    const found = new Map<string, { columns: Set<string>; key: string[] }>()
    for (const { table, column, place } of await schemaColumns(address)) {
      if (OWN_TABLES.includes(table)) continue
      const { columns, key } = found.get(table) ?? { columns: new Set(), key: [] }
      if (!OWN_COLUMNS.includes(column)) columns.add(column)
      if (place > 0) key[place - 1] = column
      found.set(table, { columns, key })
    }
    assert.deepEqual([...found.keys()].sort(), TABLE_NAMES)
    for (const table of TABLE_NAMES)
      assert.deepEqual(found.get(table), { columns: new Set(columnsOf(table)), key: keyOf(table) }, table)
  })
}

/** Tables that a transfer leaves out: counters, migrations, leases, and the place of each release's content. */
const OWN_TABLES = ['state', 'release_files', 'release_pieces', 'migrations', 'leases']
const OWN_COLUMNS = ['locator', 'retired_at']

/** The columns of a migrated registry, with their positions in the primary keys, from 1 on. */
async function schemaColumns(address: string) {
  type Column = { table: string; column: string; place: number }
  if (address.startsWith('postgres:'))
    return run<Column>(
      address,
      `select columns.table_name as "table", columns.column_name as "column",
        coalesce(keys.ordinal_position, 0) as place
      from information_schema.columns left join information_schema.key_column_usage as keys
        on (keys.table_schema, keys.table_name, keys.column_name)
          = (columns.table_schema, columns.table_name, columns.column_name) and keys.constraint_name like '%pkey'
      where columns.table_schema = 'pds'`,
    )
  const database = openDatabase(registryPath(address.slice('sqlite:'.length)))
  const columns = database
    .prepare(
      `select tables.name as "table", columns.name as "column", columns.pk as place
      from file.sqlite_schema as tables, pragma_table_info(tables.name, 'file') as columns
      where tables.type = 'table'`,
    )
    .all() as Column[]
  database.close()
  return columns
}

/** Checks that ids and numbers continue after those of the other store. */
async function goesOn(address: string): Promise<void> {
  const store = await openStore(address)
  const { number, changes } = await publishAll(store, 'toilets', { kind: 'documents' }, [
    { id: 'a' },
    { id: 'c' },
  ])
  assert.deepEqual([number, changes], [7, { added: 1, changed: 1, removed: 1 }])
  const entries = [{ code: 'LATER', name: 'Later', spaces: 1, status: 'unheard of', open: true }]
  await store.readings.saveObservation({ timestamp: '2026-05-01T10:00:00.000Z', entries })
  assert.deepEqual((await store.readings.latestObservation())?.entries, entries)
  await store.close()
}
