import assert from 'node:assert/strict'
import { rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { emptyFolder } from '../../../test/support/folder.ts'
import { startedThreads } from '../../../test/support/started-threads.ts'
import { publishAll, VEHICLES, vehicles } from '../../../test/support/stored-vehicles.ts'
import { executed } from '../../../test/support/table-cases.ts'
import type { Filter } from '../../query/query.ts'
import { openStore } from '../../store/open-store.ts'
import { DamagedReleaseError, NoStoreError } from '../../store/store.ts'
import { buildRegister } from './build-table.ts'
import { loadRegister } from './load.ts'

const ROWS = 2500
const MUCH = 2 ** 30

async function published(t: TestContext) {
  const folder = await emptyFolder(t)
  const store = await openStore(`sqlite:${folder}`)
  t.after(() => store.close())
  const release = await publishAll(store, 'vehicles', VEHICLES, vehicles(ROWS))
  const source = { databaseUrl: `sqlite:${folder}`, release, layout: VEHICLES, readyBytes: MUCH }
  return { folder, store, release, source }
}

const QUESTIONS: Filter[][] = [
  [],
  [{ field: 'make', contains: 'o' }],
  [{ field: 'firstRegisteredAt', from: '1985-01-01', to: '1990-12-31' }],
  [
    { field: 'model', contains: '7' },
    { field: 'color', equals: 'blue' },
  ],
]

test('a register that a thread of its own made answers as one made here; several are made at once', async t => {
  const { store, release, source } = await published(t)
  const { contents, close } = await store.releases.open(release, VEHICLES)
  assert.ok(contents)
  for (const readyBytes of [MUCH, 1000]) {
    const here = await buildRegister(contents, VEHICLES, ROWS, { readyBytes })
    assert.equal(here.hasReadyRows, readyBytes === MUCH)
    for (const loaded of await Promise.all([
      loadRegister({ ...source, readyBytes }),
      loadRegister({ ...source, readyBytes }),
    ])) {
      assert.equal(loaded.bytes, here.bytes)
      assert.equal(loaded.hasReadyRows, here.hasReadyRows)
      for (const filters of QUESTIONS) {
        const page = { filters, offset: 20, limit: 100 }
        assert.deepEqual(await executed(loaded, page), await executed(here, page))
        assert.deepEqual(
          await loaded.count({ by: ['make'], filters }),
          await here.count({ by: ['make'], filters }),
        )
      }
    }
  }
  await close()
})

test('a store that is missing or damaged fails the loading with the error of the store', async t => {
  const { folder, source } = await published(t)
  const missing = loadRegister({ ...source, databaseUrl: `sqlite:${join(folder, 'none')}` })
  await assert.rejects(missing, error => error instanceof NoStoreError && error.message !== '')
  const file = join(folder, 'releases', 'vehicles', '1.sqlite')
  await truncate(file, 5000)
  await assert.rejects(
    loadRegister(source),
    error => error instanceof DamagedReleaseError && /1\.sqlite/.test(error.message),
  )
  await rm(file)
  await assert.rejects(loadRegister(source), DamagedReleaseError)
})

test('the thread has ended when a register is loaded, and when that failed', async t => {
  const { source } = await published(t)
  const threads = startedThreads(t)
  await loadRegister(source)
  await assert.rejects(loadRegister({ ...source, release: { ...source.release, number: 9 } }))
  assert.deepEqual(
    threads.map(({ threadId }) => threadId),
    [-1, -1],
  )
})

test('a thread that dies fails the loading', async t => {
  const { source } = await published(t)
  startedThreads(t, thread => thread.terminate())
  await assert.rejects(loadRegister(source), /ended with status/)
})

test('a release whose rows are not as many as it says is not loaded', async t => {
  const { source, release } = await published(t)
  for (const rows of [ROWS - 1, ROWS + 1])
    await assert.rejects(loadRegister({ ...source, release: { ...release, rows } }), /rows/)
})
