import assert from 'node:assert/strict'
import { rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { emptyFolder } from '../../../test/support/folder.ts'
import { startedThreads } from '../../../test/support/started-threads.ts'
import { publishAll, VEHICLES, vehicles } from '../../../test/support/stored-vehicles.ts'
import { counted, executed } from '../../../test/support/table-cases.ts'
import type { Filter } from '../../query/query.ts'
import { openStore } from '../../store/open-store.ts'
import { DamagedReleaseError, NoStoreError } from '../../store/store.ts'
import { buildColumnarTable } from './build-table.ts'
import { loadColumnarTable } from './load.ts'

const ROWS = 2500
const AMPLE = 2 ** 30

async function published(t: TestContext) {
  const folder = await emptyFolder(t)
  const store = await openStore(`sqlite:${folder}`)
  t.after(() => store.close())
  const release = await publishAll(store, 'vehicles', VEHICLES, vehicles(ROWS))
  const source = { databaseUrl: `sqlite:${folder}`, release, layout: VEHICLES, prerenderBytes: AMPLE }
  return { folder, store, release, source }
}

const FILTERS: Filter[][] = [
  [],
  [{ field: 'make', contains: 'o' }],
  [{ field: 'firstRegisteredAt', from: '1985-01-01', to: '1990-12-31' }],
  [
    { field: 'model', contains: '7' },
    { field: 'color', equals: 'blue' },
  ],
]

test('a table built in a worker thread gives the results of one built here; several are built at once', async t => {
  const { store, release, source } = await published(t)
  const { scan, close } = await store.releases.open(release, VEHICLES)
  assert.ok(scan)
  for (const prerenderBytes of [AMPLE, 1000]) {
    const here = await buildColumnarTable(scan, VEHICLES, ROWS, { prerenderBytes })
    assert.equal(here.isPrerendered, prerenderBytes === AMPLE)
    for (const loaded of await Promise.all([
      loadColumnarTable({ ...source, prerenderBytes }),
      loadColumnarTable({ ...source, prerenderBytes }),
    ])) {
      assert.equal(loaded.bytes, here.bytes)
      assert.equal(loaded.isPrerendered, here.isPrerendered)
      for (const filters of FILTERS) {
        const page = { filters, offset: 20, limit: 100 }
        assert.deepEqual(await executed(loaded, page), await executed(here, page))
        assert.deepEqual(
          await counted(loaded, { by: ['make'], filters }),
          await counted(here, { by: ['make'], filters }),
        )
      }
    }
  }
  await close()
})

test('a store that is missing or damaged fails the loading with the error of the store', async t => {
  const { folder, source } = await published(t)
  const missing = loadColumnarTable({ ...source, databaseUrl: `sqlite:${join(folder, 'none')}` })
  await assert.rejects(missing, error => error instanceof NoStoreError && error.message !== '')
  const file = join(folder, 'releases', 'vehicles', '1.sqlite')
  await truncate(file, 5000)
  await assert.rejects(
    loadColumnarTable(source),
    error => error instanceof DamagedReleaseError && /1\.sqlite/.test(error.message),
  )
  await rm(file)
  await assert.rejects(loadColumnarTable(source), DamagedReleaseError)
})

test('the worker thread has ended when a table is loaded, and when that failed', async t => {
  const { source } = await published(t)
  const threads = startedThreads(t)
  await loadColumnarTable(source)
  await assert.rejects(loadColumnarTable({ ...source, release: { ...source.release, number: 9 } }))
  assert.deepEqual(
    threads.map(({ threadId }) => threadId),
    [-1, -1],
  )
})

test('a worker thread that dies fails the loading', async t => {
  const { source } = await published(t)
  startedThreads(t, thread => thread.terminate())
  await assert.rejects(loadColumnarTable(source), /exited with status/)
})

test('a release with another number of rows than it says is not loaded', async t => {
  const { source, release } = await published(t)
  for (const rows of [ROWS - 1, ROWS + 1])
    await assert.rejects(loadColumnarTable({ ...source, release: { ...release, rows } }), /rows/)
})
