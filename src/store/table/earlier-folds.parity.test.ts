import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { tablesOf } from '../../../test/support/columnar-parity.ts'
import { manyVehicles } from '../../../test/support/many-vehicles.ts'
import { run } from '../../../test/support/postgres-server.ts'
import { ENGINES } from '../../../test/support/store-engines.ts'
import { publishAll, VEHICLES } from '../../../test/support/stored-vehicles.ts'
import { counted, executed, model } from '../../../test/support/table-cases.ts'
import type { Filter } from '../../query/query.ts'
import { openStore } from '../open-store.ts'
import { openDatabase } from '../sqlite/driver.ts'
import { registryPath, releasePath } from '../sqlite/paths.ts'
import type { Release } from '../store.ts'

/** What a version stored that kept runs and kinds of blanks, blanks at the ends, and invisible characters. */
const EARLIER: Readonly<Record<string, string>> = {
  'LAND  ROVER': 'land  rover',
  'LAND\u00a0ROVER': 'land\u00a0rover',
  'Land-Rover-': 'land rover ',
  'Land\tRover': 'land\trover',
  'Lan\u00add Rover': 'lan\u00add rover',
  '. .Rover': ' .rover',
}
const ODD = Object.keys(EARLIER)

/** Vehicles of which some have an odd model or make. */
const records = (count: number) =>
  manyVehicles(count).map((record, n) => ({
    ...record,
    ...(n % 100 === 0 ? { model: ODD[(n / 100) % ODD.length] } : {}),
    ...(n % 170 === 0 ? { make: ODD[(n / 170) % ODD.length] } : {}),
    ...(n === 777 ? { model: 'Land Rover' } : {}),
  }))

/** Enough for blocks of a dictionary where the engine has any. */
const COUNTS: Readonly<Record<string, number>> = { sqlite: 2000, postgres: 20_500 }

const COLUMNS = ['make', 'model'] as const

/** Gives the values of a release the folded texts that the earlier version stored. */
async function foldAsBefore(address: string, release: Release): Promise<void> {
  const update = (table: string, stored: string, value: string) =>
    `update ${table} set folded = ${sqlText(stored)} where value = ${sqlText(value)}`
  if (address.startsWith('sqlite:')) {
    const folder = address.slice('sqlite:'.length)
    const path = releasePath(folder, release)
    const database = openDatabase(path)
    for (const column of COLUMNS)
      for (const [value, stored] of Object.entries(EARLIER))
        database.exec(update(`file.words_${column}`, stored, value))
    database.close()
    const hash = createHash('sha256').update(await readFile(path))
    const registry = openDatabase(registryPath(folder))
    registry.exec(`update file.releases set locator = '${hash.digest('hex')}'`)
    registry.close()
    return
  }
  const [{ locator } = assert.fail()] = await run<{ locator: string }>(
    address,
    'select locator from pds.releases',
  )
  for (const column of COLUMNS)
    for (const [value, stored] of Object.entries(EARLIER)) {
      await run(address, update(`pds.r${locator}_words_${column}`, stored, value))
      // Few of the columns have blocks.
      const [{ parts } = assert.fail()] = await run<{ parts: boolean }>(
        address,
        `select to_regclass('pds.r${locator}_parts_${column}') is not null as parts`,
      )
      if (parts)
        await run(
          address,
          `update pds.r${locator}_parts_${column} as parts set text = (select chr(10) || string_agg(folded, chr(10)) || chr(10)
            from pds.r${locator}_words_${column} where piece = parts.id)`,
        )
    }
}

const sqlText = (text: string) => `'${text.replaceAll("'", "''")}'`

const TEXTS = ['land rover', 'd  r', '.rover', 'lan', 'zzz']
const FILTERS: Filter[][] = COLUMNS.flatMap(field => [
  ...TEXTS.flatMap(text => [[{ field, contains: text }], [{ field, equals: text }]]),
  [{ words: 'rover', fields: [field, 'color'] }],
  [
    { field, contains: 'rover' },
    { field: 'color', contains: 'r' },
    { field: 'firstRegisteredInJerseyAt', from: '2000-01-01' },
  ],
])

for (const engine of ENGINES)
  test(`${engine.name}: a release that an earlier version folded is searched as one of today`, async t => {
    const address = await engine.emptyStore(t)
    const before = await openStore(address)
    const all = records(COUNTS[engine.name] ?? 0)
    const release = await publishAll(before, 'vehicles', VEHICLES, all)
    await before.close()
    await foldAsBefore(address, release)
    const store = await openStore(address)
    t.after(() => store.close())
    const opened = await store.releases.open(release, VEHICLES)
    t.after(() => opened.close())
    const plain = model(all)
    const tables = [opened.table ?? assert.fail(), (await tablesOf(opened))[2] ?? assert.fail()]
    for (const filters of FILTERS) {
      const expected = plain.execute({ filters, limit: 20 })
      const counts = plain.count({ by: ['color'], filters })
      for (const table of tables) {
        assert.deepEqual(await executed(table, { filters, limit: 20 }), expected, JSON.stringify(filters))
        assert.deepEqual(await counted(table, { by: ['color'], filters }), counts, JSON.stringify(filters))
      }
    }
    assert.ok(plain.execute({ filters: [{ field: 'model', contains: 'land rover' }] }).total > 15)
  })
