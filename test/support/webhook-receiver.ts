import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { answersStatus, type Behaviour } from './misbehaving-upstream.ts'

/** One request to a webhook. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A real receiver of webhooks on this machine. */
export interface Receiver {
  readonly url: string
  /** What the next requests get, in turn; further ones get the last. */
  behaviours: Behaviour[]
  readonly received: readonly Received[]
  /** The notifications so far. */
  messages(): { type: string; timestamp: string; data: Record<string, unknown> }[]
}

/** Starts a receiver that takes everything; it ends with the test. */
export async function startReceiver(t: TestContext): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    request.on('error', () => {})
    const body = await text(request).catch(() => '')
    received.push({ headers: request.headers, body })
    const [behave = answersStatus(204)] = receiver.behaviours
    if (receiver.behaviours.length > 1) receiver.behaviours.shift()
    behave(request, response)
  })
  server.on('connection', socket => socket.on('error', () => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/s3cret?key=s3cret`,
    behaviours: [],
    received,
    messages: () => received.map(({ body }) => JSON.parse(body)),
  }
  return receiver
}
