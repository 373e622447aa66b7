import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { openStore } from '../../../src/store/open-store.ts'
import { StoreUnusableError } from '../../../src/store/store.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../../support/postgres.ts'
import { mountSmallDisk, NO_SMALL_DISK } from '../../support/small-disk.ts'
import { allRecords, appendAll, publishAll, VEHICLES, vehicles } from '../../support/stored-vehicles.ts'

const options = { skip: postgresFolder() === undefined && NO_POSTGRES }

/** Imports that fill the disk: the number of vehicles, and when the disk is full. */
const IMPORTS = [
  { count: 180_000, full: 'while records are added' },
  { count: 60_000, full: 'while the release is built' },
]

for (const [index, { count, full }] of IMPORTS.entries())
  test(
    `a server's disk that is full ${full} ends an import in clear words and leaves what is served`,
    options,
    async t => {
      const disk = await mountSmallDisk(24)
      if (disk === undefined) return t.skip(NO_SMALL_DISK)
      try {
        await fillDisk(disk.folder, `small${index}`, count)
      } finally {
        await disk.remove()
      }
    },
  )

async function fillDisk(folder: string, name: string, count: number): Promise<void> {
  const { emptyDatabase, giveFolder } = await cluster()
  await giveFolder(folder)
  const elsewhere = await emptyDatabase()
  const address = elsewhere.replace(/[^/]+$/, name)
  const client = new Client({ connectionString: elsewhere })
  await client.connect()
  await client.query(`create tablespace ${name} location '${folder}'`)
  await client.query(`create database ${name} tablespace ${name}`)
  const store = await openStore(address, { tables: { engine: 'sql', prerenderBytes: 0 } })
  const release = await publishAll(store, 'vehicles', VEHICLES, vehicles(2000))

  const staging = await store.releases.stage('vehicles', VEHICLES)
  await assert.rejects(appendAll(staging, vehicles(count, 7)), (error: Error) => {
    assert.ok(error instanceof StoreUnusableError, String(error))
    assert.match(
      error.message,
      /cannot grow because the disk is full: free some space on the server and try again$/,
    )
    return true
  })
  await assert.rejects(staging.seal(), 'nor can what is left be published')
  await staging.discard()
  assert.deepEqual(await store.releases.list('vehicles'), [release])
  const opened = await store.releases.open(release, VEHICLES)
  assert.equal((await allRecords(opened)).length, 2000)
  assert.equal((await publishAll(store, 'vehicles', VEHICLES, vehicles(100))).number, 2)
  await store.close()
  await client.query(`drop database ${name} with (force)`)
  await client.query(`drop tablespace ${name}`)
  await client.end()
}
