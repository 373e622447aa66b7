import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { until } from '../../test/support/until.ts'
import { createConnections } from './connections.ts'
import { writeInParts } from './large-body.ts'
import { createScheduler } from './scheduler.ts'
import { type ResetReason, type UnreadResponsesOptions, watchUnreadResponses } from './unread-responses.ts'

const MB = 2 ** 20

/** More than the kernels of both sides take. */
const BODY = Buffer.alloc(48 * MB)

/** Requests start immediately, so that each is watched when it arrives. */
const scheduler = { ...createScheduler(), hasTime: () => true }

/** A server that sends `BODY`, or other bytes of that length under another path; and connections that ask it. */
async function serve(
  t: TestContext,
  options: UnreadResponsesOptions = {},
  write: (response: ServerResponse, body: Buffer) => void = (response, body) =>
    writeInParts(response, body, { scheduler, client: 'a' }),
) {
  const resets: ResetReason[] = []
  let clock = 0
  const unread = watchUnreadResponses({
    onReset: reason => resets.push(reason),
    now: () => clock,
    maxBytes: 4 * BODY.length,
    ...options,
  })
  const handle: RequestListener = ({ url, headers }, response) => {
    const body = url === '/' ? BODY : Buffer.alloc(BODY.length)
    response.writeHead(200, { 'content-length': body.length })
    write(response, body)
    const client = headers['x-client']?.toString() ?? 'a'
    unread.watch(response, client, url === '/stream' ? { bytes: MB } : body)
  }
  const { listener } = createConnections({ handle, scheduler, clientOf: () => 'a', baseUrl: () => '' })
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets: Socket[] = []
  const accepted: Socket[] = []
  server.on('connection', socket => accepted.push(socket))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  async function ask(path: string, times = 1, client = 'a') {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    socket.pause()
    const asked = once(server, 'request')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Client: ${client}\r\n\r\n`.repeat(times))
    await asked
    return socket
  }
  /** Waits until the kernel has taken no byte for the time of two checks, however busy the machine is; gives how many it took. */
  async function settled() {
    let [taken, since] = [-1, 0]
    await until(() => {
      const now = accepted.reduce((sum, socket) => sum + socket.bytesWritten - socket.writableLength, 0)
      if (now !== taken) since = performance.now()
      taken = now
      return performance.now() - since > 1100
    }, 'the kernel to take no more')
    return taken
  }
  return { unread, resets, ask, settled, pass: (ms: number) => (clock += ms) }
}

/** Reads a piece every two milliseconds; returns a function that gives the bytes read so far. */
function readSlowly(t: TestContext, socket: Socket): () => number {
  let received = 0
  socket.on('data', data => {
    received += data.length
    socket.pause()
  })
  const reading = setInterval(() => socket.resume(), 2)
  t.after(() => clearInterval(reading))
  return () => received
}

test('a client that reads nothing is reset, whatever else waits on its connection', async t => {
  const { unread, resets, ask, pass } = await serve(t)
  const open = [await ask('/'), await ask('/other'), await ask('/', 5)]
  assert.equal(unread.bytes(), 2 * BODY.length, 'a body that several wait for counts once')
  pass(18_000)
  await new Promise(resolve => setTimeout(resolve, 1500))
  assert.deepEqual(resets, [])
  await until(() => {
    pass(1000)
    return resets.length === 3
  }, 'all three to be reset')
  assert.deepEqual(resets, ['slow', 'slow', 'slow'])
  assert.equal(unread.bytes(), 0)
  // It learns of the reset when it reads on.
  for (const socket of open) socket.resume()
  await until(() => open.every(({ destroyed }) => destroyed), 'the connections to be closed')
})

test('one that reads slowly gets all, within a time that grows with the length', async t => {
  const { unread, resets, ask, pass } = await serve(t)
  const socket = await ask('/')
  const received = readSlowly(t, socket)
  await until(() => {
    pass(100)
    return received() > BODY.length
  }, 'the whole body')
  assert.deepEqual(resets, [])
  await until(() => unread.bytes() === 0, 'the response to be closed')
  // Progress alone is not enough for ever.
  const endless = await ask('/')
  endless.on('data', () => endless.pause())
  const sipping = setInterval(() => endless.resume(), 20)
  t.after(() => clearInterval(sipping))
  pass(60_000 + BODY.length / 4)
  await until(() => resets.length === 1, 'the deadline of the whole')
})

test('a client that read on after a pause gets a minute for its next part, and no more', async t => {
  const { resets, ask, settled, pass } = await serve(t)
  const socket = await ask('/stream')
  await settled()
  pass(19_000)
  await settled()
  let received = 0
  socket.on('data', data => {
    received += data.length
    // Here, since the whole body may come before a promise goes on.
    if (received > BODY.length / 4) socket.pause()
  })
  socket.resume()
  await until(() => received > BODY.length / 4, 'the client to read on')
  // If the kernel takes a few bytes late, the minute begins anew.
  let before = -1
  for (let taken = await settled(); taken !== before; taken = await settled()) {
    before = taken
    pass(59_000)
  }
  assert.deepEqual(resets, [])
  pass(1000)
  await until(() => resets.length === 1, 'the reset')
})

test('a stream may take as long as its client reads', async t => {
  const { resets, ask, pass } = await serve(t)
  const socket = await ask('/stream')
  const received = readSlowly(t, socket)
  await until(() => {
    pass(1_000_000)
    return received() > BODY.length
  }, 'the whole body')
  assert.deepEqual(resets, [])
})

test('a client that reads nothing is reset within 30 s of the last byte that the kernel took', async t => {
  let filled = false
  const { resets, ask, pass } = await serve(t, {}, (response, body) => {
    let sent = 0
    const filling = setInterval(() => {
      pass(1000)
      response.write(body.subarray(sent, sent + 131_072))
      sent += 131_072
      if (sent < 20 * 131_072) return
      clearInterval(filling)
      response.end(body.subarray(sent))
      filled = true
    }, 100)
    t.after(() => clearInterval(filling))
  })
  await ask('/')
  await until(() => filled, 'the kernel to be filled')
  assert.deepEqual(resets, [])
  let passed = 0
  await until(() => {
    pass(100)
    passed += 100
    return resets.length === 1
  }, 'the reset')
  assert.ok(passed < 30_000, `${passed} ms`)
})

test('beyond the bound of memory the client that holds the most is reset, where it has stalled longest', async t => {
  const { unread, resets, ask, pass } = await serve(t, { maxBytes: 3.5 * BODY.length })
  const oldest = await ask('/1', 1, 'few')
  pass(1000)
  const stalled = await ask('/2', 1, 'many')
  pass(1000)
  const flowing = await ask('/3', 1, 'many')
  const last = await ask('/4', 1, 'many')
  await until(() => resets.length === 1, 'one reset')
  assert.deepEqual(resets, ['memory'])
  assert.equal(unread.bytes(), 3 * BODY.length)
  for (const socket of [oldest, stalled, flowing, last]) socket.resume()
  await until(() => stalled.destroyed, 'the one that has stalled to be closed')
  assert.deepEqual([oldest.destroyed, flowing.destroyed, last.destroyed], [false, false, false])
})

test('a stream is admitted at the expense of clients that hold more, and refused to the one that holds the most', async t => {
  const { unread, resets, ask } = await serve(t, { maxBytes: 2.5 * BODY.length })
  await ask('/1', 1, 'many')
  const second = await ask('/2', 1, 'many')
  assert.throws(() => unread.admit('many', BODY.length), { code: 'OVERLOADED' })
  assert.throws(() => unread.admit('new', 3 * BODY.length), { code: 'OVERLOADED' }, 'it would hold the most')
  assert.deepEqual(resets, [])
  unread.admit('new', BODY.length)
  assert.deepEqual(resets, ['memory'])
  assert.equal(unread.bytes(), BODY.length)
  second.destroy()
  await until(() => unread.bytes() === 0, 'the other to be closed')
})
