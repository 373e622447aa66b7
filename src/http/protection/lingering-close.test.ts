import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { parseResponses } from '../../../test/support/http-responses.ts'
import { ISLAND } from '../../../test/support/island.ts'
import { listen } from '../../../test/support/raw-http.ts'
import { build } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'

const LARGE = 'GET /openapi.json HTTP/1.1\r\nHost: data.example\r\n\r\n'

test('a response arrives whole, though its client goes on sending what cannot be read', async t => {
  const { app } = await build(t, ISLAND)
  const port = await listen(app)
  const accepted = once(app.server, 'connection') as Promise<[Socket]>
  const client = connect(port, '127.0.0.1').pause()
  t.after(() => client.destroy())
  client.on('error', () => {})
  client.write(`${LARGE}nonsense\r\n\r\n${'x'.repeat(1_000_000)}`)
  const [socket] = await accepted
  await until(() => socket.writableFinished || socket.destroyed, 'all of it being sent')
  const received: Buffer[] = []
  client.on('data', data => received.push(data)).resume()
  await until(() => client.readableEnded || client.destroyed, 'the end of the response')
  const responses = parseResponses(Buffer.concat(received))
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200],
  )
  await until(() => socket.destroyed, 'the end of the connection')
})
