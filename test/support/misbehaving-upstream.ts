import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { createGzip } from 'node:zlib'

/** Answers one request, well or badly. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void

/** A real server on this machine that behaves as it is told. */
export interface Upstream {
  readonly url: string
  /** What the next request gets. */
  behaviour: Behaviour
  /** The headers of each request so far. */
  readonly requests: readonly IncomingMessage['headers'][]
  /** Connections so far. */
  readonly connections: number
  /** The most requests that were open at once. */
  readonly mostAtOnce: number
  close(): Promise<void>
}

/** Starts an upstream on a port of 127.0.0.1; without one, on a free port. */
export async function startUpstream(behaviour: Behaviour, port = 0): Promise<Upstream> {
  const requests: IncomingMessage['headers'][] = []
  let connections = 0
  let open = 0
  let mostAtOnce = 0
  const server = createServer((request, response) => {
    requests.push(request.headers)
    mostAtOnce = Math.max(mostAtOnce, ++open)
    response.on('close', () => open--)
    upstream.behaviour(request, response)
  })
  server.on('connection', socket => {
    connections++
    socket.on('error', () => {})
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const upstream: Upstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed`,
    behaviour,
    requests,
    get connections() {
      return connections
    },
    get mostAtOnce() {
      return mostAtOnce
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return upstream
}

/** The address of a port on which nothing listens. */
export async function closedPort(): Promise<string> {
  const server = createSocketServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}/feed`
}

/** A payload in the feed's form. */
export const payload = (
  entries: readonly object[],
  timeText = 'This information was updated at 12:00:00 on Sunday 4 February',
): string => JSON.stringify({ carparkData: { Jersey: { carpark: entries }, Timestamp: timeText } })

/** An entry in the feed's form. */
export const entry = (code: string, spaces: unknown = 100): Record<string, unknown> => ({
  ...{ name: `Car park ${code}`, code, spaces, type: 'Long stay', status: 'good', carparkOpen: true },
  ...{ carparkInformation: '', numberOfUnusableSpaces: 0, numberOfSpacesConsideredLow: 0 },
})

/** Answers 200 with this body; JSON unless `headers` says otherwise. */
export const answers =
  (body: string | Buffer, headers: Record<string, string> = {}): Behaviour =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body)

/** Answers this status without a body. */
export const answersStatus =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (_, response) =>
    response.writeHead(status, headers).end()

/** Answers with an ETag, and 304 to who has it. */
export const answersConditionally =
  (body: string, etag: string): Behaviour =>
  (request, response) =>
    request.headers['if-none-match'] === etag
      ? response.writeHead(304, { etag }).end()
      : response.writeHead(200, { 'content-type': 'application/json', etag }).end(body)

/** Takes the request and never answers. */
export const hangs: Behaviour = () => {}

/** Resets the connection. */
export const resets: Behaviour = request => request.socket.resetAndDestroy()

/** Sends one byte every 200 ms, without end. */
export const drips: Behaviour = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 200)
  response.on('close', () => clearInterval(timer))
}

/** Sends half of what it announced, then closes. */
export const breaksOff: Behaviour = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"carparkData":', () => response.destroy())
}

/** Sends bytes that are not HTTP. */
export const sendsGarbage: Behaviour = request =>
  request.socket.end(Buffer.from('\x16\x03\x01garbage\r\n\r\n'))

/** Sends so many bytes of JSON text without saying how many. */
export const sendsBytes =
  (total: number): Behaviour =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const block = Buffer.alloc(64 * 1024, '[]')
    let left = total
    const more = () => {
      while (left > 0 && response.writable) {
        left -= block.length
        if (!response.write(block)) return response.once('drain', more)
      }
      return response.end()
    }
    more()
  }

/** JSON nested so many levels deep. */
export const deepJson = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

/** A gzip that unfolds to so many bytes of zeros. */
export async function gzipBomb(bytes: number): Promise<Buffer> {
  const gzip = createGzip({ level: 9 })
  const chunks: Buffer[] = []
  gzip.on('data', chunk => chunks.push(chunk))
  const block = Buffer.alloc(1024 * 1024)
  for (let left = bytes; left > 0; left -= block.length) if (!gzip.write(block)) await once(gzip, 'drain')
  gzip.end()
  await once(gzip, 'end')
  return Buffer.concat(chunks)
}

/** Sends half of the body, and the rest once `goOn` is called. */
export function pausesHalfway(body: string): { behaviour: Behaviour; goOn(): void } {
  const half = Math.floor(body.length / 2)
  let goOn = () => {}
  return {
    behaviour(_, response) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write(body.slice(0, half))
      goOn = () => response.end(body.slice(half))
    },
    goOn: () => goOn(),
  }
}
