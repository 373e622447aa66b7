import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Problem } from '../../errors.ts'
import { requireAcceptable } from '../request/accept.ts'
import { queryReader } from '../request/parameters.ts'
import { queryStringOf } from '../request/query-string.ts'
import { reportIgnored } from '../request/unknown-parameters.ts'
import type { DirectAnswer } from '../routing/direct-lane.ts'
import { referToNamed } from '../routing/named-schemas.ts'
import type { EventChannel } from './event-channel.ts'
import { createEventClients, type EventClients, type EventClientsOptions } from './event-clients.ts'
import { commentBytes, EVENT_STREAM } from './event-text.ts'

declare module 'fastify' {
  interface FastifyInstance {
    eventClients: EventClients
    /** Tells the log and the metrics of a stream that has begun. */
    tellStreamBegun: (answer: DirectAnswer) => void
  }
}

/** An address that answers with a stream of events (HTML living standard 9.2): how it is documented, and what it tells. */
export interface EventStream {
  readonly path: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** Each kind of event by its name, with the schema of its data. */
  readonly events: Readonly<Record<string, { readonly description: string; readonly data: TSchema }>>
  readonly idDescription: string
  /** True where it tells of the synthetic island. */
  readonly synthetic: () => boolean
  /**
   * What a client gets first; `lastId` is the id of the event that it had last. Undefined where it misses nothing.
   * Throws problems.
   */
  readonly firstEvent: (lastId: string | undefined) => Buffer | undefined
  /** Calls back with each event that all clients get. Gives the function that ends it. */
  readonly subscribe: (send: (event: Buffer) => void) => () => void
}

const NOTHING_MISSED = commentBytes('nothing missed')

/** Readies an app for event streams. They end before it closes, since they would keep it open. */
export function prepareEventStreams(
  app: FastifyInstance,
  options: EventClientsOptions & { readonly onBegun: (answer: DirectAnswer) => void },
): void {
  const clients = createEventClients(options)
  app.decorate('eventClients', clients)
  app.decorate('tellStreamBegun', options.onBegun)
  app.addHook('preClose', async () => clients.end())
}

/** Adds a stream to the app, with HEAD beside GET. */
export function addEventStream(app: FastifyInstance, stream: EventStream): void {
  const channel = app.eventClients.openChannel()
  const stop = stream.subscribe(channel.send)
  app.addHook('onClose', async () => stop())
  const read = queryReader({})
  app.route({
    method: 'GET',
    url: stream.path,
    schema: documentation(app, stream),
    handler: async (request, reply) => {
      reportIgnored(request, reply, read(queryStringOf(request.url)).ignored, [])
      requireAcceptable(request.headers.accept, EVENT_STREAM)
      const first = stream.firstEvent(lastEventId(request)) ?? NOTHING_MISSED
      app.eventClients.requireRoom()
      if (stream.synthetic()) reply.header('synthetic-data', 'true')
      if (request.method === 'HEAD') writeHead(reply).end()
      else begin(app, channel, { request, reply, first })
    },
  })
}

function lastEventId({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id']
  return id === undefined ? undefined : String(id)
}

function begin(
  app: FastifyInstance,
  channel: EventChannel,
  { request, reply, first }: { request: FastifyRequest; reply: FastifyReply; first: Buffer },
): void {
  // Nobody would tell of its end any more.
  if (reply.raw.destroyed) return void reply.hijack()
  // Behind another answer of the same connection it would wait, take a place and gather events.
  if (reply.raw.socket === null)
    throw new Problem(
      'BAD_REQUEST',
      'Another answer is under way on this connection: ask for the stream on its own.',
    )
  // Its end is that of the connection, so events need no framing, and HTTP/1.0 no other form.
  reply.raw.removeHeader('transfer-encoding')
  reply.header('connection', 'close')
  app.eventClients.follow(channel, writeHead(reply), first)
  const { url } = request
  app.tellStreamBegun({ route: request.routeOptions.url ?? '', url, status: 200, ms: reply.elapsedTime })
}

/** Takes the answer over from the framework, with the headers that it has given. */
function writeHead(reply: FastifyReply): FastifyReply['raw'] {
  reply.hijack()
  const own = { 'content-type': `${EVENT_STREAM}; charset=utf-8`, 'cache-control': 'no-store' }
  // nginx holds answers back to fill its buffers, and would hold events back.
  return reply.raw.writeHead(200, { ...reply.getHeaders(), ...own, 'x-accel-buffering': 'no' } as never)
}

/** An event stream as OpenAPI has it: a list of events, of which each kind has data of its own. */
function documentation(app: FastifyInstance, stream: EventStream) {
  const { operationId, tag, summary, description, events, idDescription } = stream
  const kinds = Object.entries(events).map(([name, { description, data }]) => ({
    type: 'object',
    description,
    properties: {
      event: { type: 'string', const: name },
      id: { type: 'string', description: idDescription },
      data: { type: 'string', contentMediaType: 'application/json', contentSchema: referToNamed(app, data) },
    },
    required: ['event', 'id', 'data'],
  }))
  const schema = { type: 'array', description: 'Events, without end.', items: { oneOf: kinds } }
  const lastEventId = {
    type: 'string',
    description: 'The id of the event that you had last: you get what you missed.',
  }
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    headers: { type: 'object', properties: { 'Last-Event-ID': lastEventId } },
    response: { 200: { description: summary, content: { [EVENT_STREAM]: { schema } } } },
    problems: [503],
    isUnconditional: true,
  }
}
