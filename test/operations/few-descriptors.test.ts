import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { TOILETS } from '../support/island.ts'
import { TEST_WORKERS } from '../support/pds.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const CLIENTS = 400

test('with 256 file descriptors it starts, refuses what it cannot hold, and recovers', async t => {
  const site = await makeSite(t)
  await site.publish('toilets', TOILETS)
  const service = await site.serve({}, ['serve'], { first: 'ulimit -n 256' })
  const open: Socket[] = []
  let closed = 0
  for (let client = 0; client < CLIENTS; client++) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.on('close', () => closed++)
    socket.resume()
    open.push(socket)
  }
  await until(() => closed >= CLIENTS - 156, 'the surplus to be closed')
  // The operator's listener and the store still have theirs.
  await site.publish('toilets', TOILETS.slice(0, 1))
  await until(
    async () => (await service.metrics()).get('pds_release_number{dataset="toilets"}') === 2,
    'a release',
  )
  // With workers, the primary's own system closes connections that it has no descriptor for, before a worker counts them.
  if (TEST_WORKERS === 1) {
    assert.equal(service.log.filter(({ event }) => event === 'connections-refused').length, 1)
    const refused = (await service.metrics()).get('pds_http_connections_refused_total') ?? 0
    assert.ok(refused >= CLIENTS - 156, `${refused} counted`)
  }
  for (const socket of open) socket.destroy()
  await until(
    async () => (await service.get('/v1/toilets').catch(() => undefined))?.status === 200,
    'service',
  )
  assert.equal(service.child.exitCode, null)
})
