import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '../../../src/store/open-store.ts'
import { ENGINES } from '../../support/store-engines.ts'
import { startStoreProcess } from '../../support/store-process.ts'

const ROUNDS = 6
const READINGS = Array.from({ length: 30_000 }, (_, n) => ({
  ...{ at: n * 60_000, code: 'A', name: 'A', spaces: n % 500, open: null, status: null },
}))
const ALL = { from: 0, to: READINGS.length * 60_000 }

for (const engine of ENGINES)
  test(`${engine.name}: a process killed at any moment while it removes an import of history leaves all of it or none`, async t => {
    const address = await engine.emptyStore(t)
    const store = await openStore(address)
    t.after(() => store.close())
    const kept = async () => {
      const hours = await store.readings.summaries(ALL, 'hour')
      const readings = await store.readings.readings(ALL)
      assert.equal(
        hours.reduce((sum, { count }) => sum + count, 0),
        readings.length,
        'hours are those of the readings',
      )
      return readings.length
    }
    const startRemoval = async () => {
      const removal = startStoreProcess(t, 'remove a batch', address)
      assert.equal(await removal.nextLine(), 'removing')
      return removal
    }
    /** Resolves to how many milliseconds the removal took. */
    const remove = async () => {
      const removal = await startRemoval()
      const from = performance.now()
      assert.equal(await removal.nextLine(), 'removed')
      return performance.now() - from
    }

    await store.readings.saveHistory(READINGS, 'history.csv')
    const tookMs = await remove()
    const outcomes: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      if ((await kept()) === 0) await store.readings.saveHistory(READINGS, 'history.csv')
      const before = await store.readings.historyRevision()
      const removal = await startRemoval()
      await pause((round / ROUNDS) * 1.5 * tookMs)
      await removal.kill('SIGKILL')
      const count = await kept()
      assert.ok(count === 0 || count === READINGS.length, `${count} readings`)
      const isRemoved = count === 0
      assert.equal((await store.readings.historyRevision()) > before, isRemoved, 'the revision tells of it')
      outcomes.push(isRemoved ? 'removed' : 'all there')
    }
    t.diagnostic(outcomes.join(', '))
    await remove()
    assert.equal(await kept(), 0)
  })
