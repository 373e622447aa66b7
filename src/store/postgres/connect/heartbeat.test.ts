import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cluster, NO_POSTGRES, postgresFolder } from '../../../../test/support/postgres.ts'
import { addressOf, run } from '../../../../test/support/postgres-server.ts'
import { until } from '../../../../test/support/until.ts'
import { readAddress } from './address.ts'
import { createHeartbeat } from './heartbeat.ts'

const NAME = 'a-heartbeat-that-is-cut'

test('a heartbeat that is cut during a health check stays cut', {
  skip: postgresFolder() === undefined && NO_POSTGRES,
}, async () => {
  const { port } = await cluster()
  const target = readAddress(addressOf(port, `postgres?application_name=${NAME}`).replace(/^postgres:/, ''))
  const heartbeat = createHeartbeat(
    target,
    { host: '127.0.0.1', port, role: undefined },
    { onLost: assert.fail },
  )
  await heartbeat.open()
  const beat = heartbeat.check()
  heartbeat.close()
  await assert.rejects(beat)
  const open = async () =>
    (
      await run(
        addressOf(port, 'postgres'),
        `select from pg_stat_activity where application_name = '${NAME}'`,
      )
    ).length
  await until(async () => (await open()) === 0, 'no connection')
})
