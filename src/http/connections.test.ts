import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseResponses } from '../../test/support/http-responses.ts'
import { ISLAND } from '../../test/support/island.ts'
import { listen } from '../../test/support/raw-http.ts'
import { build } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { type ConnectionsOptions, createConnections } from './connections.ts'
import { createHttpApp } from './http-app.ts'
import { createScheduler } from './scheduler.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

/** A server whose responses wait to be ended, and a connection to it. */
async function connected(
  t: TestContext,
  options: Partial<ConnectionsOptions> = {},
  onStarted?: RequestListener,
) {
  const started: ServerResponse[] = []
  const handle: RequestListener = (request, response) => {
    started.push(response)
    onStarted?.(request, response)
  }
  const { listener } = createConnections({
    handle,
    scheduler: createScheduler(),
    clientOf: () => 'a',
    baseUrl: () => '',
    ...options,
  })
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [served] = await once(server, 'connection')
  t.after(() => {
    socket.destroy()
    server.close()
  })
  return { started, socket, served }
}

test('a request that is on its way when the server closes is answered', async () => {
  const options = { scheduler: createScheduler(), clientOf: () => 'a', baseUrl: () => '' }
  const app = createHttpApp({ ...options, handle: (_request, response) => response.end('x') })
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(url.port), url.hostname)
  await once(app.server, 'connection')
  const closed = app.close()
  socket.write(REQUEST)
  assert.match(await text(socket), /^HTTP\/1\.1 200/)
  await closed
})

test('of many pipelined requests eight are handled at a time, and all in the end', async t => {
  const { started, socket, served } = await connected(t)
  let received = ''
  socket.on('data', data => (received += data))
  socket.write(REQUEST.repeat(600))
  await until(() => started.length === 8, 'the first eight')
  assert.ok(served.isPaused())
  for (let ended = 0; ended < 600; ended++) {
    await until(() => started.length > ended, 'the next')
    assert.ok(started.length <= ended + 8)
    started[ended]?.end('x')
  }
  await until(() => received.split('HTTP/1.1 200').length === 601, 'every response')
  assert.equal(served.isPaused(), false)
})

test('while requests wait nothing further is read, however much the client sends', async t => {
  const { started, socket, served } = await connected(t)
  for (let i = 0; i < 200; i++) socket.write(REQUEST.repeat(1000))
  await until(() => started.length === 8 && socket.writableLength > 0, 'the client to be held back')
  const { bytesRead } = served
  for (const response of started.splice(0, 4)) response.end('x')
  await until(() => started.length === 8, 'four further ones')
  assert.equal(served.bytesRead, bytesRead)
})

test('requests that wait are forgotten with their connection', async t => {
  const { started, socket, served } = await connected(t)
  socket.write(REQUEST.repeat(100))
  await until(() => started.length === 8, 'the first eight')
  const closed = new Promise(resolve => served.once('close', resolve))
  socket.destroy()
  // A paused socket detects that its client has disconnected when it writes.
  const written = started.slice(0, 8)
  for (const response of written) response.end('x'.repeat(1_000_000))
  await closed
  await nextTurn()
  assert.ok(started.length <= 16, `${started.length} started`)
})

test('while a client leaves a response unread no further one is started', async t => {
  const body = Buffer.alloc(32 * 2 ** 20)
  const { started, socket } = await connected(t, {}, (_request, response) => response.end(body))
  socket.pause()
  socket.write(REQUEST.repeat(100))
  await until(() => started.length > 0 && socket.writableLength === 0, 'the first')
  for (let turn = 0; turn < 50; turn++) await nextTurn()
  assert.equal(started.length, 1)
  let received = 0
  socket.on('data', data => (received += data.length))
  socket.resume()
  await until(() => received > 2 * body.length, 'two bodies to be read')
  await until(() => started.length > 2, 'the next ones')
})

test('responses behind the one being sent are closed with their connection', async t => {
  const closed: number[] = []
  const { started, socket } = await connected(t, {}, (_request, response) => {
    const index = started.length
    response.on('close', () => closed.push(index))
  })
  socket.write(REQUEST.repeat(8))
  await until(() => started.length === 8, 'all eight')
  socket.resetAndDestroy()
  await until(() => closed.length === 8, 'every response to be closed')
  assert.ok(started.every(({ destroyed }) => destroyed))
})

test('a connection is reset where too many requests wait on all together', async t => {
  let resets = 0
  const { started, socket } = await connected(t, { maxWaiting: 50, onReset: () => resets++ })
  const closed = new Promise(resolve => socket.once('close', resolve))
  socket.on('error', () => {})
  socket.write(REQUEST.repeat(200))
  await closed
  assert.deepEqual([resets, started.length], [1, 1])
})

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
