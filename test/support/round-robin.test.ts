import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { request } from 'undici'
import { startRoundRobin } from './round-robin.ts'
import { until } from './until.ts'

/** A backend that tells its name, what it was asked, and over how many connections. */
async function startBackend(t: TestContext, name: string) {
  const backend = { ready: true, connections: 0, listener: undefined as RequestListener | undefined }
  const server = createServer((incoming, response) => {
    if (incoming.url === '/readyz') response.writeHead(backend.ready ? 200 : 503).end()
    else if (backend.listener === undefined)
      response.end(JSON.stringify({ name, url: incoming.url, for: incoming.headers['x-forwarded-for'] }))
    else backend.listener(incoming, response)
  })
  server.on('connection', () => backend.connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(backend, { url, adminUrl: url })
}

async function startBackends(t: TestContext) {
  const backends = await Promise.all(['a', 'b', 'c'].map(name => startBackend(t, name)))
  const [a, b, c] = backends
  if (a === undefined || b === undefined || c === undefined) assert.fail()
  const proxy = await startRoundRobin(t, backends)
  const ask = async (
    options: { method?: 'GET' | 'POST' | 'HEAD'; headers?: Record<string, string> } = {},
  ) => {
    const { statusCode, body } = await request(`${proxy.url}/path?query`, options)
    const text = await body.text()
    return { status: statusCode, text, ...(text.startsWith('{') ? JSON.parse(text) : {}) }
  }
  const names = async () => [(await ask()).name, (await ask()).name, (await ask()).name].sort()
  return { a, b, c, proxy, ask, names }
}

test('requests go to each backend in turn over kept connections, with the client address', async t => {
  const { a, proxy, ask, names } = await startBackends(t)
  assert.deepEqual(await names(), ['a', 'b', 'c'])
  const before = a.connections
  for (let round = 0; round < 5; round++) assert.deepEqual(await names(), ['a', 'b', 'c'])
  // Checks come over connections of their own.
  assert.ok(a.connections - before <= 1)
  const { url, for: from } = await ask({ headers: { 'x-forwarded-for': '203.0.113.7' } })
  assert.deepEqual([url, from], ['/path?query', '203.0.113.7, 127.0.0.1'])
  assert.deepEqual(proxy.inUse(), [0, 1, 2])
})

test('a backend that is not ready gets no requests until it is', async t => {
  const { b, proxy, names } = await startBackends(t)
  b.ready = false
  await until(() => proxy.inUse().length === 2, 'b being left out')
  assert.ok(!(await names()).includes('b'))
  b.ready = true
  await until(() => proxy.inUse().length === 3, 'b being back')
  assert.deepEqual(await names(), ['a', 'b', 'c'])
})

test('a GET whose connection fails before a response is retried on another backend, anything else is not', async t => {
  const { a, b, c, proxy, ask } = await startBackends(t)
  b.listener = incoming => incoming.socket.resetAndDestroy()
  await until(async () => {
    assert.equal((await ask()).status, 200)
    return proxy.repeated > 0
  }, 'a GET that met b')
  for (const backend of [a, c]) backend.listener = b.listener
  await until(() => proxy.inUse().length === 3, 'all being asked again')
  const repeated = proxy.repeated
  assert.equal((await ask({ method: 'POST' })).status, 502)
  assert.equal(proxy.repeated, repeated)
  await until(() => proxy.inUse().length === 3, 'all being asked again')
  // Asked twice, of two, it is given up.
  assert.equal((await ask()).status, 502)
  assert.equal(proxy.repeated, repeated + 1)
})

test('a truncated response stays truncated, and without a ready backend the status is 503', async t => {
  const { a, b, c, proxy, ask } = await startBackends(t)
  for (const backend of [a, b, c])
    backend.listener = (incoming, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{', () => incoming.socket.resetAndDestroy())
    }
  await assert.rejects(ask(), /terminated|other side closed|ECONNRESET|closed/)
  assert.equal(proxy.repeated, 0)
  for (const backend of [a, b, c]) backend.ready = false
  await until(() => proxy.inUse().length === 0, 'all being left out')
  assert.equal((await ask()).status, 503)
})
