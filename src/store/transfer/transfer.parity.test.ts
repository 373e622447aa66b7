import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { contentOf, fillStore, STORED } from '../../../test/support/filled-stores.ts'
import { emptyFolder } from '../../../test/support/folder.ts'
import { ENGINES, type TestedEngine } from '../../../test/support/store-engines.ts'
import { publishAll, VEHICLES, vehicles } from '../../../test/support/stored-vehicles.ts'
import { openStore, storeAt } from '../open-store.ts'
import { openDatabase } from '../sqlite/driver.ts'
import { registryPath } from '../sqlite/paths.ts'
import type { Store } from '../store.ts'
import { TABLES } from './registry-schemas.ts'
import { dumpOf } from './store-dump.ts'
import { backUp, copyStore, restore, verifyBackup } from './transfer.ts'
import { writeBackup } from './write-backup.ts'

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
    const moment = await storeAt(source).openMoment(STORED)
    t.after(() => moment.close())
    const store = await openStore(source)
    for (let name = 0; name < 6; name++)
      await publishAll(store, 'toilets', { kind: 'documents' }, [{ id: 'a', name }])
    await store.releases.sweep()
    const numbers = (await store.releases.list('toilets')).map(({ number }) => number)
    await store.close()
    assert.deepEqual(numbers, [12, 11, 10, 9, 8])
    const file = join(await emptyFolder(t), 'backup')
    assert.deepEqual((await writeBackup(dumpOf(moment, STORED), file)).missing, [])
    const target = await engine.emptyStore(t)
    await restore(file, target, options)
    assert.deepEqual(await contentOf(target), before)
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
    await storeAt(address).migrate([], {})
    const moment = await storeAt(address).openMoment([])
    t.after(() => moment.close())
    const carried = moment.tables.map(({ name, columns }) => `${name}: ${[...columns].sort().join(' ')}`)
    assert.deepEqual([...carried, ...OWN].sort(), await schemaTables(t))
    const checked = Object.entries(TABLES).map(([name, columns]) => [name, Object.keys(columns).sort()])
    const isOwn = (column: string) => ['locator', 'retired_at'].includes(column)
    const stored = moment.tables.map(({ name, columns, key }) => {
      const schemas = Object.keys(TABLES[name as keyof typeof TABLES])
      assert.deepEqual(schemas.slice(0, key.length), key, `${name} begins with its key`)
      return [name, columns.filter(column => !isOwn(column)).sort()]
    })
    assert.deepEqual(checked, stored)
  })
}

/** What belongs to a store alone: its counters, and where the content of its releases is. */
const OWN = [
  'state: history_revision id revision',
  'release_files: bytes dataset digest filled name number sha256',
]

/** The tables of a migrated registry with their columns. */
async function schemaTables(t: TestContext): Promise<string[]> {
  const folder = await emptyFolder(t)
  await storeAt(`sqlite:${folder}`).migrate([], {})
  const database = openDatabase(registryPath(folder))
  const rows = database
    .prepare(
      `select tables.name as "table", columns.name as "column"
      from file.sqlite_schema as tables, pragma_table_info(tables.name, 'file') as columns
      where tables.type = 'table' order by columns.name`,
    )
    .all() as { table: string; column: string }[]
  database.close()
  const tables = new Map<string, string[]>()
  for (const { table, column } of rows) tables.set(table, [...(tables.get(table) ?? []), column])
  return [...tables].map(([name, columns]) => `${name}: ${columns.join(' ')}`).sort()
}

/** Ids and numbers continue after those of the other store. */
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
