import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ISLAND } from '../support/island.ts'
import { build } from '../support/service.ts'
import { until } from '../support/until.ts'

/* A long CSV may take as long as its client reads, and no longer. Sockets are real, the clock is not. */

const PATH = '/v1/product-recalls.csv'

/** A CSV of 24 MB: more than the kernels of both sides take. */
const RECALLS = Array.from({ length: 6000 }, (_, index) => ({
  ...ISLAND['product-recalls'][0],
  id: 6000 - index,
  problem: `${index} `.repeat(4000 / `${index} `.length),
}))

/** A service whose clock is told how much time passes, and what it says of its clients. */
async function serve(t: TestContext) {
  let clock = 0
  const options = { unreadResponses: { now: () => clock } }
  const { app, metrics } = await build(t, { 'product-recalls': RECALLS }, options)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    app,
    url,
    resets: async () =>
      /connections_reset_total\{reason="slow"\} (\d+)/.exec(await metrics.registry.metrics())?.[1] ?? '0',
    pass(ms: number) {
      clock += ms
    },
  }
}

/** A client that has the head of the response, and the service's end of its connection. */
async function ask(t: TestContext, { app, url }: Awaited<ReturnType<typeof serve>>) {
  const connected = once(app.server, 'connection')
  const request = get(url + PATH, { agent: false })
  // A connection that is reset fails the request as well as the response, from some version of Node on.
  request.on('error', () => {})
  t.after(() => request.destroy())
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const [socket] = (await connected) as [Socket]
  return { response, socket }
}

test('a client that reads a long CSV slowly gets all of it, however long that takes', async t => {
  const service = await serve(t)
  const whole = (await service.app.inject(PATH)).rawPayload
  const { response, socket } = await ask(t, service)
  let passedMs = 0
  let taken = 0
  async function* slowly() {
    for await (const chunk of response) {
      yield chunk as Buffer
      await nextTurn()
      // Time passes only as the client makes progress, which it does by 22 KB a second.
      if (socket.bytesWritten - taken < 65_536) continue
      taken = socket.bytesWritten
      service.pass(3000)
      passedMs += 3000
    }
  }
  assert.ok((await buffer(slowly())).equals(whole))
  assert.ok(passedMs > 5 * 60_000, `${passedMs} ms`)
  assert.equal(await service.resets(), '0')
})

test('one that stops in the middle of it is reset', async t => {
  const service = await serve(t)
  const { response } = await ask(t, service)
  const failed = once(response, 'end').then(
    () => 'whole',
    error => error.code,
  )
  await once(response, 'readable')
  assert.ok(response.read(1) !== null)
  await until(async () => {
    service.pass(1000)
    return (await service.resets()) === '1'
  }, 'the reset')
  response.resume()
  assert.equal(await failed, 'ECONNRESET')
})
