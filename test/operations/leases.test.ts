import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { DATASETS } from '../../src/datasets/index.ts'
import { type Lease, LeaseRevokedError, readUnder } from '../../src/releases/snapshots/leases.ts'
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
  return { snapshots, release, acquire: () => snapshots.acquire('vehicles') ?? assert.fail() }
}

/** The one release whose number all makes have. */
const read = (lease: Lease) =>
  readUnder(lease, async ({ collection }) => {
    const groups = await collection.count({ by: ['make'] })
    assert.equal(groups.length, 1)
    return Number(String(groups.slice()[0]?.[0]).replace('release ', ''))
  })

/** Reads without ending the lease. */
const peek = (lease: Lease) => read({ ...lease, signal: lease.signal, release() {} })

for (const engine of TABLE_ENGINES) {
  test(`${engine.name}: a lease reads its own release across three others, which then closes`, async t => {
    const { snapshots, release, acquire } = await setUp(t, engine)
    const lease = acquire()
    for (const number of [2, 3, 4]) {
      await release(number)
      assert.equal(await peek(lease), 1)
      assert.equal(await read(acquire()), number)
    }
    assert.deepEqual(snapshots.leases('vehicles'), { held: 1, open: 2 })
    lease.release()
    assert.deepEqual(snapshots.leases('vehicles'), { held: 0, open: 1 })
    assert.equal(lease.signal.aborted, false)
  })

  test(`${engine.name}: beyond three superseded releases the oldest lease is revoked`, async t => {
    const { snapshots, release, acquire } = await setUp(t, engine)
    const leases: Lease[] = []
    for (const number of [2, 3, 4, 5]) {
      leases.push(acquire())
      await release(number)
    }
    assert.deepEqual(
      leases.map(({ signal }) => signal.aborted),
      [true, false, false, false],
    )
    assert.ok(leases[0]?.signal.reason instanceof LeaseRevokedError)
    assert.deepEqual(await Promise.all(leases.slice(1).map(lease => read(lease))), [2, 3, 4])
    assert.deepEqual(snapshots.leases('vehicles'), { held: 0, open: 1 })
  })

  test(`${engine.name}: many switches under readers mix nothing and leave nothing open`, async t => {
    const { snapshots, release, acquire } = await setUp(t, engine)
    let isOver = false
    const seen = new Set<number>()
    const reader = async () => {
      for (let newest = 0; !isOver; ) {
        const number = await read(acquire())
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
    assert.deepEqual(snapshots.leases('vehicles'), { held: 0, open: 1 })
    await until(async () => (await openFiles()) <= before, `no more than ${before} open files`)
    assert.ok(seen.size > 10, `only ${seen.size} releases were read`)
  })
}

/** Files and sockets that this process holds open; 0 where the system does not say. */
const openFiles = async () => (await readdir('/proc/self/fd').catch(() => [])).length
