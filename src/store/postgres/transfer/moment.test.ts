import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { contentOf, fillStore, STORED } from '../../../../test/support/filled-stores.ts'
import { emptyFolder } from '../../../../test/support/folder.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../../../../test/support/postgres.ts'
import { run } from '../../../../test/support/postgres-server.ts'
import { publishAll, VEHICLES, vehicles } from '../../../../test/support/stored-vehicles.ts'
import { openStore } from '../../open-store.ts'
import { backUp, restore } from '../../transfer/transfer.ts'

const skip = postgresFolder() === undefined && NO_POSTGRES

/** What happens to tables of releases, and what a backup says of it. */
const DAMAGES: readonly [dataset: string, number: number, damage: (table: string) => string, RegExp][] = [
  [
    'vehicles',
    1,
    table => `update ${table}_rows set "cylinderCapacity" = 1 where position = 7`,
    /not those that/,
  ],
  [
    'vehicles',
    2,
    table => `delete from ${table}_rows where position = 7`,
    /29 rows and was published with 30/,
  ],
  ['vehicles', 3, table => `drop table ${table}_words_make`, /cannot be read/],
  ['vehicles', 4, table => `drop table ${table}_digests`, /cannot be read/],
  ['toilets', 3, table => `update ${table}_documents set content = '{' where position = 1`, /JSON/],
  ['toilets', 5, table => `drop table ${table}_documents`, /its table is missing/],
]

test('releases that are damaged in a database are left out of a backup, which says so', { skip }, async t => {
  const source = await (await cluster()).emptyDatabase()
  const store = await openStore(source)
  await fillStore(store, { rows: 30, readings: 20 })
  for (let seed = 1; seed < 5; seed++) await publishAll(store, 'vehicles', VEHICLES, vehicles(30, seed))
  await store.close()
  const whole = await contentOf(source)
  for (const [dataset, number, damage] of DAMAGES) {
    const [row] = await run<{ locator: string }>(
      source,
      `select locator from pds.releases where dataset = '${dataset}' and number = ${number}`,
    )
    await run(source, damage(`pds.r${row?.locator}`))
  }

  const file = join(await emptyFolder(t), 'incomplete.gz')
  const { missing } = await backUp(source, file, { datasets: STORED })
  assert.equal(missing.length, DAMAGES.length)
  for (const [dataset, number, , reason] of DAMAGES) {
    const found = missing.find(one => one.dataset === dataset && one.number === number)
    assert.match(found?.reason ?? '', reason)
  }
  const target = await (await cluster()).emptyDatabase()
  assert.deepEqual((await restore(file, target, { datasets: STORED })).missing, missing)
  const isDamaged = (release: { dataset: string; number: number }) =>
    DAMAGES.some(([dataset, number]) => release.dataset === dataset && release.number === number)
  assert.deepEqual(await contentOf(target), {
    ...whole,
    releases: whole.releases.filter(release => !isDamaged(release)),
  })
})
