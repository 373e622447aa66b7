import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { Agent } from 'undici'
import { NUMBERED_PATHS, releaseIn } from '../support/numbered-releases.ts'
import { publishFirst } from '../support/release-swaps.ts'
import { ask } from '../support/serving.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const CLIENTS = 20
const IDLE = 200
const SLOW = 200
const KEPT = 100

/** How a client that asks without a pause ended: after how many answers, and what it met at last. */
interface Ending {
  readonly answers: number
  readonly error: NodeJS.ErrnoException
}

/** Asks on kept connections until there is nobody to answer. */
async function askToTheEnd(url: string, started: () => void): Promise<Ending> {
  const agent = new Agent({ connections: 1 })
  let answers = 0
  try {
    for (;;) {
      const path = NUMBERED_PATHS[answers % NUMBERED_PATHS.length] ?? ''
      assert.equal(releaseIn(path, await ask(agent, url + path)), 1)
      if (++answers === 5) started()
    }
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    return { answers, error: error as NodeJS.ErrnoException }
  } finally {
    await agent.destroy()
  }
}

test('SIGTERM under load: every request is answered, /readyz is 503 at once, and the process ends with 0 in time', async t => {
  const site = await makeSite(t)
  await publishFirst(site)
  const serving = await site.serve({ VEHICLES_RATE_LIMIT: '0' })
  let started = 0
  const clients = Array.from({ length: CLIENTS }, () => askToTheEnd(serving.url, () => started++))
  await until(() => started === CLIENTS, 'the load')

  const stopped = serving.stop('SIGTERM')
  const notReady = await until(async () => {
    const answer = await serving.admin('/readyz')
    return answer.status === 503 && JSON.parse(answer.text)
  }, '/readyz being 503')
  assert.deepEqual(notReady.missing.at(-1), { what: 'service', since: null, detail: 'is stopping' })
  // A balancer needs time to see that: until then newcomers are served as well.
  const late = await serving.get('/v1/toilets')
  assert.deepEqual([late.status, late.headers.connection], [200, 'close'])

  const { status, seconds } = await stopped
  const endings = await Promise.all(clients)
  const answers = endings.reduce((sum, ending) => sum + ending.answers, 0)
  t.diagnostic(`${answers} answers; ended ${seconds.toFixed(1)} s after SIGTERM`)
  assert.equal(status, 0)
  assert.ok(seconds < 10)
  assert.ok(answers > 10 * CLIENTS)
  // Each ends because it cannot connect any more, never on a connection that was taken.
  const codes = endings.map(({ error }) => error.code ?? String(error))
  assert.deepEqual(new Set(codes), new Set(['ECONNREFUSED']))
})

/** Connections to a server, each after it has sent something; cut when the test ends. */
async function openSockets(t: TestContext, url: string, count: number, sends: string): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname)
      // Being cut is what is expected of it.
      socket.on('error', () => {})
      t.after(() => socket.destroy())
      await once(socket, 'connect')
      socket.write(sends)
      return socket
    }),
  )
}

test(`SIGTERM with ${IDLE} idle, ${SLOW} slow and ${KEPT} kept connections: the process ends with 0 in time`, async t => {
  const site = await makeSite(t)
  await publishFirst(site)
  const serving = await site.serve()
  await openSockets(t, serving.url, IDLE, '')
  const kept = await openSockets(t, serving.url, KEPT, 'GET /v1/toilets HTTP/1.1\r\nHost: a\r\n\r\n')
  await Promise.all(kept.map(socket => once(socket, 'data')))
  const slow = await openSockets(t, serving.url, SLOW, 'GET /v1/toilets HTTP/1.1\r\nHost: a\r\nX-Slow: ')
  const drip = setInterval(() => {
    for (const socket of slow) if (socket.writable) socket.write('a')
  }, 200)
  t.after(() => clearInterval(drip))
  assert.equal((await serving.get('/v1/toilets')).status, 200)

  const { status, seconds } = await serving.stop('SIGTERM')
  t.diagnostic(`ended ${seconds.toFixed(1)} s after SIGTERM`)
  assert.equal(status, 0)
  assert.ok(seconds < 10)
})

test('a second signal ends a running shutdown at once', async t => {
  const site = await makeSite(t)
  const serving = await site.serve()
  const stopped = serving.stop('SIGTERM')
  await until(async () => (await serving.admin('/readyz')).text.includes('is stopping'), 'the stop')
  serving.child.kill('SIGINT')
  // A stop that comes to its own end has status 0.
  assert.equal((await stopped).status, 1)
})
