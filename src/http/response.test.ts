import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { until } from '../../test/support/until.ts'
import type { Coding } from './negotiation.ts'
import { send } from './response.ts'
import { createScheduler } from './scheduler.ts'

interface Streamed {
  readonly stream: () => AsyncIterable<Uint8Array>
  readonly coding?: Coding
}

/** A server that sends one response to every client, and how each ended. */
async function serve(t: TestContext, { stream, coding = 'identity' }: Streamed) {
  const ends: (Error | undefined)[] = []
  const closes: number[] = []
  const server = createServer((_request, response) => {
    const headers = coding === 'identity' ? [] : ['content-encoding', coding]
    const body = { chunks: stream(), coding, close: () => closes.push(ends.length) }
    const done = (error?: Error) => ends.push(error)
    send(
      response,
      { status: 200, body },
      {
        ...{ headers, done, unread: undefined, scheduler: createScheduler(), client: () => 'a' },
      },
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ends, closes }
}

test('a stream is sent whole, in each coding, and not started for HEAD', async t => {
  for (const coding of ['identity', 'gzip', 'br'] as const) {
    let started = 0
    async function* stream() {
      started++
      for (let i = 0; i < 1000; i++) yield Buffer.from(`${i}\n`)
    }
    const { url, ends, closes } = await serve(t, { stream, coding })
    const text = await (await fetch(url)).text()
    assert.equal(text.split('\n').length, 1001)
    assert.deepEqual(ends, [undefined])
    assert.equal((await fetch(url, { method: 'HEAD' })).status, 200)
    assert.equal(started, 1)
    // Closed before it is reported, read or not.
    assert.deepEqual(closes, [0, 1])
  }
})

test('a stream follows the pace of its reader, and stops when the reader disconnects', async t => {
  let given = 0
  let isOver = false
  async function* stream() {
    try {
      for (; ; given++) yield Buffer.alloc(65_536)
    } finally {
      isOver = true
    }
  }
  const { url } = await serve(t, { stream })
  const response = await fetch(url)
  const reader = response.body?.getReader()
  await reader?.read()
  // The kernel's buffer for a client that does not read is bounded.
  let before = -1
  await until(() => {
    const isStill = given === before
    before = given
    return isStill
  }, 'the stream to wait for its reader')
  assert.ok(given * 65_536 < 64 * 2 ** 20, `${given} chunks`)
  await reader?.cancel()
  await until(() => isOver, 'the stream to end')
})

test('a stream that fails cuts the connection: no client takes part of it for the whole', async t => {
  async function* stream() {
    yield Buffer.from('part')
    throw new Error('the disk is gone')
  }
  const { url, ends } = await serve(t, { stream })
  await assert.rejects(async () => (await fetch(url)).text())
  assert.match(String(ends[0]), /the disk is gone/)
})
