import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isNotModified } from '../../src/http/response.ts'
import { isSilent } from './feed-faults.ts'
import { feedPayload } from './feed-payload.ts'
import { type FreeSpacesOptions, wallTime } from './free-spaces.ts'

export interface SimulatedFeedOptions extends FreeSpacesOptions {
  readonly now?: () => Date
}

export interface SimulatedFeed {
  /** The address of the feed, for LIVE_FEED_URL. */
  readonly url: string
  close(): Promise<void>
}

const PATH = '/carparks.json'

/** Serves the synthetic island's car park feed on a free port of this machine, in the government feed's own format. */
export async function startSimulatedFeed(options: SimulatedFeedOptions = {}): Promise<SimulatedFeed> {
  const { now = () => new Date() } = options
  const server = createServer((request, response) => answer(request, response, now(), options))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function answer(
  { url, method, headers }: IncomingMessage,
  response: ServerResponse,
  now: Date,
  options: FreeSpacesOptions,
): void {
  if (url?.split('?')[0] !== PATH) return void response.writeHead(404).end()
  if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, { Allow: 'GET, HEAD' }).end()
  if (isSilent(wallTime(now, options.timeZone)))
    return void response.writeHead(503, { 'Retry-After': '60' }).end()
  const body = Buffer.from(JSON.stringify(feedPayload(now, options)))
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`
  response.setHeader('ETag', etag)
  response.setHeader('Cache-Control', 'no-cache')
  if (isNotModified({ 'if-none-match': headers['if-none-match'] }, etag, now))
    return void response.writeHead(304).end()
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.writeHead(200, { 'Content-Length': body.length }).end(body)
}
