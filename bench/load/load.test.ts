import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { requestBytes } from './connection.ts'
import { driveLoad } from './load.ts'
import { startSteadyLoad } from './steady-load.ts'

async function serve(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const WHOLE = { connections: 4, warmSeconds: 0, seconds: 0.2, status: 200 }

test('every question is asked in turn, answers large and small are read whole, and none is lost', async t => {
  const asked = new Map<string, number>()
  let answered = 0
  const port = await serve(t, ({ url = '' }, response) => {
    asked.set(url, (asked.get(url) ?? 0) + 1)
    answered++
    response.end(Buffer.alloc(url === '/large' ? 700_000 : 1))
  })
  const requests = ['/large', '/small', '/other'].map(path => requestBytes(port, path))
  const answeredAt: number[] = []
  const onMeasuring = () => void answeredAt.push(answered)
  const { answers, failed } = await driveLoad({ port, requests, ...WHOLE, leastAnswers: 100, onMeasuring })
  assert.equal(failed, 0)
  const [begin = 0, end = 0] = answeredAt
  assert.ok(answers >= 100)
  assert.equal(answers, end - begin)
  assert.deepEqual([...asked.keys()].sort(), ['/large', '/other', '/small'])
})

test('a 304 has no body, though it may tell the length of one', async t => {
  const port = await serve(t, (_request, response) => response.writeHead(304, { 'content-length': 5 }).end())
  const requests = [requestBytes(port, '/', { 'If-None-Match': '*' })]
  const { failed, answers } = await driveLoad({ port, requests, ...WHOLE, status: 304, leastAnswers: 10 })
  assert.equal(failed, 0)
  assert.ok(answers >= 10)
})

test('an answer with another status and a connection that breaks are failures, 503 is counted apart', async t => {
  const wrong = await serve(t, (_request, response) =>
    response.writeHead(404, { 'content-length': 2 }).end('no'),
  )
  const result = await driveLoad({
    port: wrong,
    requests: [requestBytes(wrong, '/')],
    ...WHOLE,
    leastAnswers: 1,
  })
  assert.ok(result.failed > 0)

  const busy = await serve(t, (_request, response) =>
    response.writeHead(503, { 'content-length': 5 }).end('later'),
  )
  const refused = await driveLoad({
    port: busy,
    requests: [requestBytes(busy, '/')],
    ...WHOLE,
    leastAnswers: 1,
  })
  assert.ok(refused.refused > 0 && refused.failed === 0)

  const broken = await serve(t, request => request.socket.destroy())
  const lost = await driveLoad({ port: broken, requests: [requestBytes(broken, '/')], ...WHOLE })
  assert.equal(lost.failed, WHOLE.connections)
  assert.equal(lost.answers, 0)
})

test('a steady load counts the time that a question waits for a server that stalls', async t => {
  let held: (() => void)[] = []
  const port = await serve(t, (_request, response) => void held.push(() => response.end('x')))
  const requests = [requestBytes(port, '/')]
  const load = startSteadyLoad({ port, requests, connections: 1, rate: 500, status: 200 })
  const answerAll = setInterval(() => {
    for (const answer of held) answer()
    held = []
  }, 10)
  t.after(() => clearInterval(answerAll))
  await new Promise(resolve => setTimeout(resolve, 100))
  const { failed, answers, p50Ms } = await load.stop()
  assert.equal(failed, 0)
  // The server gives one answer every 10 ms at most, but a request is due every 2 ms, so most wait for many others.
  assert.ok(answers > 20 && p50Ms > 50, `${answers} answers, half of them within ${p50Ms} ms`)
})
