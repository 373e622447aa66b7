import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptySchema, NO_CITUS } from '../../../test/support/citus.ts'
import { contentOf, fillStore, STORED } from '../../../test/support/filled-stores.ts'
import { emptyFolder } from '../../../test/support/folder.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../../../test/support/postgres.ts'
import { run } from '../../../test/support/postgres-server.ts'
import { publishAll, VEHICLES, vehicles } from '../../../test/support/stored-vehicles.ts'
import { openStore } from '../open-store.ts'
import { readAddress } from '../postgres/connect/address.ts'
import { backUp, restore } from './transfer.ts'

const PLACES = [
  {
    name: 'PostgreSQL',
    skip: postgresFolder() === undefined && NO_POSTGRES,
    emptyStore: async () => (await cluster()).emptyDatabase(),
  },
  { name: 'Citus', skip: NO_CITUS, emptyStore: emptySchema },
]

const BY_SQL = { engine: 'sql', prerenderBytes: 0 } as const

/** Damages to the content of releases, and the reason that a backup gives for each. */
const DAMAGES: readonly [dataset: string, number: number, damage: (name: string) => string, RegExp][] = [
  [
    'vehicles',
    2,
    name => `update pds.r${name}_rows set "cylinderCapacity" = 1 where position = 7`,
    /not those that/,
  ],
  [
    'vehicles',
    3,
    name => `delete from pds.r${name}_rows where position = 7`,
    /29 rows and was published with 30/,
  ],
  ['vehicles', 4, name => `drop table pds.r${name}_rows`, /its table is missing/],
  ['vehicles', 5, name => `alter table pds.r${name}_rows drop column make`, /cannot be read/],
  [
    'vehicles',
    1,
    name => `delete from pds.release_pieces where name = '${name}'`,
    /piece 0 of its file is missing/,
  ],
  [
    'toilets',
    3,
    name => `update pds.release_pieces set bytes = overlay(bytes placing 'x' from 30) where name = '${name}'`,
    /its bytes differ/,
  ],
  [
    'toilets',
    5,
    name => `update pds.release_pieces set bytes = substr(bytes, 2) where name = '${name}'`,
    /piece 0 of its file is missing or short/,
  ],
]

for (const { name, skip, emptyStore } of PLACES)
  test(`${name}: releases that are damaged are left out of a backup, which says so`, { skip }, async t => {
    const source = await emptyStore()
    const { schema } = readAddress(source)
    const store = await openStore(source)
    await fillStore(store, { rows: 30, readings: 20 })
    await store.close()
    const bySql = await openStore(source, { tables: BY_SQL })
    for (let seed = 1; seed < 5; seed++) await publishAll(bySql, 'vehicles', VEHICLES, vehicles(30, seed))
    await bySql.close()
    const whole = await contentOf(source)
    for (const [dataset, number, damage] of DAMAGES) {
      const [row] = await run<{ name: string }>(
        source,
        `select name from ${schema}.release_files where dataset = '${dataset}' and number = ${number}`,
      )
      await run(source, damage(String(row?.name)).replace('pds.', `${schema}.`))
    }

    const file = join(await emptyFolder(t), 'incomplete.gz')
    const { missing } = await backUp(source, file, { datasets: STORED })
    assert.equal(missing.length, DAMAGES.length)
    for (const [dataset, number, , reason] of DAMAGES) {
      const found = missing.find(one => one.dataset === dataset && one.number === number)
      assert.match(found?.reason ?? '', reason)
    }
    const target = await emptyStore()
    assert.deepEqual((await restore(file, target, { datasets: STORED })).missing, missing)
    const isDamaged = (release: { dataset: string; number: number }) =>
      DAMAGES.some(([dataset, number]) => release.dataset === dataset && release.number === number)
    assert.deepEqual(await contentOf(target), {
      ...whole,
      releases: whole.releases.filter(release => !isDamaged(release)),
    })
  })
