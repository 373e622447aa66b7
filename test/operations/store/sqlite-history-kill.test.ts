import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '../../../src/store/open-store.ts'
import { HOUR_MS } from '../../../src/values/time-units.ts'
import { emptyFolder } from '../../support/folder.ts'
import { READINGS_AT_ONCE as AT_ONCE, startStoreProcess } from '../../support/store-process.ts'

const ROUNDS = 12

test('a process killed at any moment while it saves history leaves each batch of readings whole or not at all', async t => {
  const folder = await emptyFolder(t)
  const address = `sqlite:${folder}`
  const store = await openStore(address)
  t.after(() => store.close())
  let kept = 0
  let seen = 0
  for (let round = 0; round < ROUNDS; round++) {
    const killed = startStoreProcess(t, 'save history', address)
    // The tests vary the moment of the kill: anywhere in the first few batches, every other time after a whole one.
    await killed.nextLine()
    if (round % 2 === 1) await killed.nextLine()
    await pause((round * 37) % 101)
    await killed.kill('SIGKILL')

    const [history] = await store.readings.keptHistory()
    const lots = history === undefined ? 0 : (history.last / 1000 + 1) / AT_ONCE
    assert.ok(Number.isInteger(lots) && lots >= kept, `${lots} lots`)
    const revision = await store.readings.historyRevision()
    assert.equal(revision > seen, lots > kept, 'the revision tells of new readings')
    seen = revision
    const hours = await store.readings.summaries(
      { from: 0, to: (lots + 1) * AT_ONCE * 1000 + HOUR_MS },
      'hour',
    )
    assert.equal(
      hours.reduce((sum, { count }) => sum + count, 0),
      lots * AT_ONCE,
    )
    kept = lots
  }
  t.diagnostic(`${kept} lots saved in all`)
  assert.ok(kept > 0)
})
