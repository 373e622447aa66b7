import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ParsedResponse, parseResponses } from '../support/http-responses.ts'
import { ISLAND } from '../support/island.ts'
import type { Serving } from '../support/serving.ts'
import { makeSite } from '../support/site.ts'
import { residentMb } from '../support/unread.ts'
import { until } from '../support/until.ts'
import { type RawRequest, randomRequests } from './random-requests.ts'

/**
 * What a wrong request may get: 302 where a change of bytes makes `/toilets` of `/v1/toilets`, 503 where the service is not asked
 * for what it has, or has too much to do.
 */
const STATUSES = [200, 204, 302, 304, 400, 404, 405, 406, 408, 414, 417, 431, 503]

/** Connections without a request are closed after 4 to 5 s, and after a response after 5 to 7; more is the machine's load. */
const PATIENCE_MS = 20_000

/** More than the kernel passes on at once. */
const LONG_BYTES = 65_536

const AT_ONCE = 400

/** What came of a connection. */
interface Exchange {
  readonly received: Buffer
  /** Whether the server closed it in order, not by a reset, which may take what was sent before. */
  readonly inOrder: boolean
  /** How long it was open after the last byte in either direction; for ever, where it was not closed in time. */
  readonly silentMs: number
}

test('ten thousand random connections are answered soundly or closed', async t => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  t.diagnostic(`seed ${seed}`)
  const site = await makeSite(t)
  for (const [dataset, content] of Object.entries(ISLAND)) await site.publish(dataset, content)
  // Garbage of the young generation alone takes up to 128 MB on Node 24, which hid what may leak.
  const service = await site.serve({ VEHICLES_RATE_LIMIT: '0', NODE_OPTIONS: '--max-semi-space-size=4' })
  const { text } = await service.get('/v1/toilets')
  const files = (await service.openFiles()).length

  const waiting = randomRequests(seed, 11_000)
  const statuses = new Map<number, number>()
  let longestMs = 0
  const oneByOne = async (left: number) => {
    while (waiting.length > left) {
      const sent = waiting.pop()
      if (sent === undefined) return
      const exchange = await send(service, sent)
      const which = () => `seed ${seed}, ${JSON.stringify(sent.bytes.toString('latin1'))}`
      assert.ok(Number.isFinite(exchange.silentMs), `neither answered nor closed: ${which()}`)
      longestMs = Math.max(longestMs, exchange.silentMs)
      for (const { status } of check(sent, exchange, which))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const probe = await service.get('/v1/toilets')
      assert.deepEqual([probe.status, probe.text], [200, text], which())
    }
  }
  const untilLeft = (left: number) => Promise.all(Array.from({ length: AT_ONCE }, () => oneByOne(left)))
  // The first load what is loaded at need, and fill the heap to its usual size.
  await untilLeft(10_000)
  const before = await residentMb(service)
  await untilLeft(0)

  assert.deepEqual([service.child.exitCode, service.child.signalCode], [null, null])
  assert.deepEqual(
    service.log.filter(({ level }) => level >= 50),
    [],
  )
  await until(async () => (await service.openFiles()).length <= files + 1, 'the descriptors back')
  const moreMb = async () => (await residentMb(service)) - before
  // The heap keeps the size that it had with the most connections open, and garbage may be there still.
  await until(async () => (await moreMb()) < 150, 'the memory back')
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  t.diagnostic(
    `${counts.join(', ')}; silent for ${Math.round(longestMs)} ms at most, ${Math.round(await moreMb())} MB more`,
  )
})

/** Every byte that came is part of a sound response, and there are no more of them than requests. */
function check(
  { bytes }: RawRequest,
  { received, inOrder }: Exchange,
  which: () => string,
): ParsedResponse[] {
  const sent = bytes.toString('latin1')
  // The end of a long response is lost where the connection is closed while more arrives (RFC 9112 9.6).
  const mayBeCut = !inOrder || received.length > LONG_BYTES
  let responses: ParsedResponse[] = []
  try {
    responses = parseResponses(received, { mayBeHead: sent.includes('HEAD '), mayBeCut })
    for (const response of responses) checkBody(response, sent)
  } catch (error) {
    assert.fail(`${error}: ${which()}`)
  }
  // A request ends with a blank line; one more response may refuse what is no request.
  const most = sent.split(/\n\r?\n/).length
  assert.ok(responses.length <= most, `${responses.length} responses: ${which()}`)
  return responses
}

function checkBody({ status, headers, body }: ParsedResponse, sent: string): void {
  assert.ok(STATUSES.includes(status), `status ${status}`)
  if (status === 302) assert.match(sent, / \/(?:toilets|carparks)\b/)
  const type = headers.get('content-type') ?? ''
  // A change of bytes may make `/vehicles` of `/v1/vehicles`: a page says what is wrong as a page.
  const isPage = status === 400 && type.startsWith('text/html') && / \/vehicles\?/.test(sent)
  if (status >= 400 && !isPage) assert.match(type, /^application\/problem\+json/)
  if (status >= 400) assert.equal(headers.get('cache-control'), 'no-store')
  if (body === '' || !type.includes('json')) return
  const value = JSON.parse(body)
  if (status >= 400) assert.equal(value.status, status)
}

async function send({ url }: Serving, { bytes, cuts, ends }: RawRequest): Promise<Exchange> {
  const socket = connect({
    port: Number(new URL(url).port),
    host: '127.0.0.1',
    noDelay: true,
    allowHalfOpen: true,
  })
  const received: Buffer[] = []
  let inOrder = true
  let lastAt = performance.now()
  socket.on('error', () => {
    inOrder = false
  })
  socket.on('data', data => {
    received.push(data)
    lastAt = performance.now()
  })
  const patience = setTimeout(() => {
    lastAt = Number.NEGATIVE_INFINITY
    socket.destroy()
  }, PATIENCE_MS)
  const closed = new Promise(resolve => socket.once('close', resolve))
  socket.on('end', () => socket.end())
  const pieces = [0, ...cuts].map((start, index) => bytes.subarray(start, cuts[index] ?? bytes.length))
  for (const piece of pieces) {
    if (socket.writable) socket.write(piece)
    await nextTurn()
  }
  lastAt = Math.max(lastAt, performance.now())
  if (ends) socket.end()
  await closed
  clearTimeout(patience)
  return { received: Buffer.concat(received), inOrder, silentMs: performance.now() - lastAt }
}
