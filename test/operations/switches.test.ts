import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { DATASETS } from '../../src/datasets/index.ts'
import type { Snapshot } from '../../src/releases/snapshots/snapshot.ts'
import { followStore } from '../../src/releases/snapshots/snapshots.ts'
import { vehiclesOf } from '../support/numbered-releases.ts'
import { publish, temporaryStore } from '../support/service.ts'
import { TABLE_ENGINES, type TestedEngine } from '../support/store-engines.ts'
import { until } from '../support/until.ts'

async function setUp(t: TestContext, { emptyStore, tables }: TestedEngine) {
  const store = await temporaryStore(t, await emptyStore(t), tables)
  const snapshots = followStore({
    ...{ store, datasets: DATASETS, log: pino({ level: 'silent' }), pollMs: 5, notifiedPollMs: 5 },
    ...(tables && { tables: tables.engine }),
  })
  t.after(() => snapshots.stop())
  const release = async (number: number) => {
    await publish(store, 'vehicles', vehiclesOf(number))
    await until(() => snapshots.get('vehicles')?.release.number === number, `release ${number}`)
  }
  await publish(store, 'vehicles', vehiclesOf(1))
  await snapshots.start()
  return { release, current: () => snapshots.get('vehicles') ?? assert.fail() }
}

/** The one release whose number all makes have. */
async function read({ collection }: Snapshot): Promise<number> {
  const groups = await collection.count({ by: ['make'] })
  assert.equal(groups.length, 1)
  return Number(String(groups.slice()[0]?.[0]).replace('release ', ''))
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

for (const engine of TABLE_ENGINES) {
  test(`${engine.name}: a reader keeps its release across three others, which then is free`, async t => {
    const { release, current } = await setUp(t, engine)
    const freed = await (async () => {
      const first = current()
      for (const number of [2, 3, 4]) {
        await release(number)
        assert.equal(await read(first), 1)
        assert.equal(await read(current()), number)
      }
      return new WeakRef(first)
    })()
    await until(() => {
      collectGarbage()
      return freed.deref() === undefined
    }, 'the first release to be free')
  })

  test(`${engine.name}: many switches under readers mix nothing and leave nothing open`, async t => {
    const { release, current } = await setUp(t, engine)
    let isOver = false
    const seen = new Set<number>()
    const reader = async () => {
      for (let newest = 0; !isOver; ) {
        const number = await read(current())
        assert.ok(number >= newest, `release ${number} after ${newest}`)
        seen.add(number)
        newest = number
        // SQLite answers without a turn of the event loop.
        await nextTurn()
      }
    }
    const readers = [reader(), reader(), reader()]
    // A switch takes PostgreSQL longer, and nothing there opens files.
    const switches = engine.name === 'sqlite' ? 101 : 21
    await release(2)
    const before = await openFiles()
    for (let number = 3; number <= switches; number++) await release(number)
    isOver = true
    await Promise.all(readers)
    await until(async () => (await openFiles()) <= before, `no more than ${before} open files`)
    assert.ok(seen.size > 10, `only ${seen.size} releases were read`)
  })
}

/** Files and sockets that this process holds open; 0 where the system does not say. */
const openFiles = async () => (await readdir('/proc/self/fd').catch(() => [])).length
