import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { publish, temporaryStore } from '../../test/support/service.ts'
import { vehicles } from '../../test/support/stored-vehicles.ts'
import { readConfig } from '../config.ts'
import { startServer } from './server.ts'

test('a start that fails while releases are read closes the store', async t => {
  const store = await temporaryStore(t)
  await publish(store, 'vehicles', vehicles(10))
  const started = startServer({
    store,
    config: readConfig({}),
    log: pino({ level: 'silent' }),
    createParking() {
      throw new Error('out of memory')
    },
  })
  await assert.rejects(started, /out of memory/)
  await assert.rejects(store.releases.revision())
})
