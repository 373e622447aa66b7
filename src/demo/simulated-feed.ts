import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSilent } from './feed-faults.ts'
import { feedPayload } from './feed-payload.ts'
import { type FreeSpacesOptions, ISLAND_TIME_ZONE } from './free-spaces.ts'
import { wallTime } from './local-time.ts'

export interface SimulatedFeedOptions extends FreeSpacesOptions {
  readonly now?: () => Date
}

export interface SimulatedFeed {
  /** The address of the feed itself, for LIVE_FEED_URL. */
  readonly url: string
  close(): Promise<void>
}

const PATH = '/carparks.json'

/** Serves the synthetic island's car park feed on a free port of this machine, in the government feed's own format. */
export async function startSimulatedFeed(options: SimulatedFeedOptions = {}): Promise<SimulatedFeed> {
  const now = options.now ?? (() => new Date())
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
  if (url?.split('?')[0] !== PATH) response.writeHead(404).end()
  else if (method === 'GET' || method === 'HEAD') answerFeed(headers['if-none-match'], response, now, options)
  else response.writeHead(405, { Allow: 'GET, HEAD' }).end()
}

function answerFeed(
  ifNoneMatch: string | undefined,
  response: ServerResponse,
  now: Date,
  options: FreeSpacesOptions,
): void {
  if (isSilent(wallTime(now, options.timeZone ?? ISLAND_TIME_ZONE))) {
    response.writeHead(503, { 'Retry-After': '60' }).end()
    return
  }
  const body = Buffer.from(JSON.stringify(feedPayload(now, options)))
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`
  response.setHeader('ETag', etag)
  response.setHeader('Cache-Control', 'no-cache')
  if (isKnown(ifNoneMatch, etag)) response.writeHead(304).end()
  else {
    const type = 'application/json; charset=utf-8'
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length }).end(body)
  }
}

/** RFC 9110 13.1.2: any tag of the list by weak comparison, or `*`. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map(tag => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
