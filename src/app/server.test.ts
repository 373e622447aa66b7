import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { inThisThread, publish, temporaryStore } from '../../test/support/service.ts'
import { vehicles } from '../../test/support/stored-vehicles.ts'
import { readConfig } from '../config.ts'
import { startServer } from './server.ts'

test('a start that fails while a release is being loaded waits for it and closes the store', async t => {
  const store = await temporaryStore(t)
  await publish(store, 'vehicles', vehicles(10))
  let isLoaded = false
  let fail = () => {}
  const failing = new Promise<void>(resolve => {
    fail = resolve
  })
  const started = startServer({
    store,
    config: readConfig({}),
    log: pino({ level: 'silent' }),
    async loadIntoMemory(...given) {
      await failing
      for (let turn = 0; turn < 100; turn++) await nextTurn()
      isLoaded = true
      return inThisThread(...given)
    },
    createParking() {
      fail()
      throw new Error('out of memory')
    },
  })
  await assert.rejects(started, /out of memory/)
  assert.ok(isLoaded)
  await assert.rejects(store.releases.revision())
})
