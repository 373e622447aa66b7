import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import type { TestContext } from 'node:test'
import { type Dispatcher, Pool, request } from 'undici'

/** Where an instance listens. */
export interface Backend {
  readonly url: string
  readonly adminUrl: string
}

/** A small load balancer, as much of one as a test needs. It ends with the test. */
export interface RoundRobin {
  readonly url: string
  /** Places, in the list of backends, of those that get requests now. */
  inUse(): number[]
  /** How often a request was asked again of another backend. */
  readonly repeated: number
  close(): Promise<void>
}

/** How often each backend is asked whether it is ready. */
const CHECK_MS = 200
/** A backend that does not say so within this time is not. */
const CHECK_PATIENCE_MS = 2000
/** Fields of one connection, and the length, which the client of the backend counts itself (RFC 9110 7.6.1). */
const OF_ONE_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'expect']

interface Upstream extends Backend {
  readonly pool: Pool
  usable: boolean
}

/**
 * Shares requests out among backends in turn, over connections that it keeps. One whose /readyz is not 200 is left out,
 * and one that cannot be reached until it is ready again; a GET or HEAD whose connection fails before an answer has
 * begun is asked once more, of another.
 */
export async function startRoundRobin(t: TestContext, backends: readonly Backend[]): Promise<RoundRobin> {
  const upstreams: Upstream[] = backends.map(backend => ({
    ...backend,
    pool: new Pool(backend.url, { connections: 64 }),
    usable: false,
  }))
  let turn = 0
  let repeated = 0
  let closed = false

  async function check(upstream: Upstream): Promise<void> {
    const signal = AbortSignal.timeout(CHECK_PATIENCE_MS)
    try {
      const { statusCode, body } = await request(`${upstream.adminUrl}/readyz`, { signal })
      await body.dump()
      upstream.usable = statusCode === 200
    } catch {
      upstream.usable = false
    }
  }

  function next(not?: Upstream): Upstream | undefined {
    const usable = upstreams.filter(upstream => upstream.usable && upstream !== not)
    return usable[turn++ % usable.length]
  }

  async function ask(
    incoming: IncomingMessage,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData | undefined> {
    const first = next()
    if (first === undefined) return undefined
    try {
      return await forward(first, incoming, signal)
    } catch (error) {
      first.usable = false
      const another = incoming.method === 'GET' || incoming.method === 'HEAD' ? next(first) : undefined
      if (another === undefined || signal.aborted) throw error
      repeated++
      return forward(another, incoming, signal)
    }
  }

  const server = createServer((incoming, response) => {
    const leaving = new AbortController()
    response.on('close', () => leaving.abort())
    ask(incoming, leaving.signal)
      .then(answer => (answer === undefined ? refuse(response, 503) : passOn(answer, response)))
      .catch(() => (response.headersSent ? response.destroy() : refuse(response, 502)))
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await Promise.all(upstreams.map(check))
  const checks = setInterval(() => upstreams.map(check), CHECK_MS)

  async function close(): Promise<void> {
    if (closed) return
    closed = true
    clearInterval(checks)
    server.close()
    server.closeAllConnections()
    await Promise.all(upstreams.map(({ pool }) => pool.destroy()))
  }
  t.after(close)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    inUse: () => upstreams.flatMap(({ usable }, place) => (usable ? [place] : [])),
    get repeated() {
      return repeated
    },
    close,
  }
}

/** Sends a request, which must have no body, to a backend, with the address of who asks added to those before. */
function forward(
  { pool }: Upstream,
  { url = '/', method = 'GET', headers, socket }: IncomingMessage,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const sent = Object.entries(headers).filter(([name]) => !OF_ONE_CONNECTION.includes(name))
  const before = headers['x-forwarded-for']
  const from = before === undefined ? socket.remoteAddress : `${before}, ${socket.remoteAddress}`
  return pool.request({
    path: url,
    method: method as Dispatcher.HttpMethod,
    headers: { ...Object.fromEntries(sent), 'x-forwarded-for': from },
    signal,
  })
}

async function passOn(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  response: ServerResponse,
): Promise<void> {
  const passed = Object.entries(headers).filter(([name]) => !OF_ONE_CONNECTION.includes(name))
  response.writeHead(statusCode, Object.fromEntries(passed))
  await pipeline(body, response)
}

function refuse(response: ServerResponse, status: 502 | 503): void {
  response.writeHead(status, { 'retry-after': '1' }).end()
}
