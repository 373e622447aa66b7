import type { TSchema } from 'typebox'
import { Problem } from '../errors.ts'
import { requireAcceptable } from './negotiation.ts'
import type { Operation } from './operation.ts'
import { queryReader, reportUnknownParameters } from './parameters.ts'
import type { ParsedRequest } from './request.ts'
import { headerList, type PreparedResponse } from './response.ts'
import type { Router, SharedParts } from './router.ts'

/** The media type of event streams (HTML living standard 9.2). */
const EVENT_STREAM = 'text/event-stream'

/** The bytes of one event. `data` is text without line breaks, as JSON is. */
export function eventBytes(name: string, id: string, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`event: ${name}\nid: ${id}\ndata: `), data, Buffer.from('\n\n')])
}

/** An endpoint that responds with server-sent events (HTML living standard 9.2): its documentation and its events. */
export interface EventStream {
  readonly path: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** Each kind of event by its name, with the schema of its data. */
  readonly events: Readonly<Record<string, { readonly description: string; readonly data: TSchema }>>
  readonly idDescription: string
  /** True if the events are about the synthetic island. */
  readonly synthetic: () => boolean
  /**
   * Returns the first event for a client, or undefined if the client missed nothing. `lastId` is the id of the last event that
   * the client received. Throws problems.
   */
  readonly firstEvent: (lastId: string | undefined) => Buffer | undefined
  /** Calls `send` with each event for all clients. Returns the function that unsubscribes. */
  readonly subscribe: (send: (event: Buffer) => void) => () => void
}

/** A comment, which clients ignore. */
const NOTHING_MISSED = Buffer.from(': nothing missed\n\n')

/** Adds a stream for GET and HEAD. */
export function addEventStream(router: Router, stream: EventStream): void {
  const { eventClients, linksOf } = router.shared
  router.onClose(stream.subscribe(event => eventClients.send(stream.path, event)))
  const readQuery = queryReader({})

  function handle(request: ParsedRequest): PreparedResponse {
    const { headers, response, queryString } = request
    reportUnknownParameters(request, readQuery(queryString).unknown, [])
    requireAcceptable(headers.accept, EVENT_STREAM)
    const lastId = headers['last-event-id']
    const first = stream.firstEvent(lastId === undefined ? undefined : String(lastId)) ?? NOTHING_MISSED
    const client = request.client()
    eventClients.requireRoom(client)
    const head = { status: 200, headers: headOf(stream, linksOf) }
    if (response.req.method === 'HEAD') return head
    requireOwnConnection(response)
    return {
      ...head,
      body: {
        attach(response) {
          // A closed response emits no further 'close', so its client would never be removed.
          if (!response.destroyed) eventClients.follow(stream.path, client, response, first)
        },
      },
    }
  }

  router.add({ path: stream.path, tag: stream.tag, operation: operationOf(stream), handle })
}

/** Behind another response of the same connection, the stream would wait, count as a client and buffer events. */
function requireOwnConnection({ socket, destroyed }: ParsedRequest['response']): void {
  if (socket === null && !destroyed)
    throw new Problem(
      'BAD_REQUEST',
      'Another response is being sent on this connection: request the stream on a separate connection.',
    )
}

function headOf({ tag, ...stream }: EventStream, linksOf: SharedParts['linksOf']): string[] {
  const synthetic = stream.synthetic()
  return headerList({
    link: linksOf(tag, synthetic),
    'synthetic-data': synthetic ? 'true' : undefined,
    'content-type': `${EVENT_STREAM}; charset=utf-8`,
    'cache-control': 'no-store',
    // Without this, nginx buffers responses and delays events.
    'x-accel-buffering': 'no',
    connection: 'close',
  })
}

/** Describes an event stream for OpenAPI: an array of events, each kind with its own data. */
function operationOf({
  operationId,
  tag,
  summary,
  description,
  events,
  idDescription,
}: EventStream): Operation {
  const kinds = Object.entries(events).map(([name, { description, data }]) => ({
    type: 'object',
    description,
    properties: {
      event: { type: 'string', enum: [name] },
      id: { type: 'string', description: idDescription },
      data: { type: 'string', contentMediaType: 'application/json', contentSchema: data },
    },
    required: ['event', 'id', 'data'],
  }))
  const lastEventId = {
    type: 'string',
    description: 'The id of the last event that you received: you get the events that you missed.',
  }
  return {
    ...{ operationId, tag, summary, description },
    parameters: {},
    headers: { 'Last-Event-ID': lastEventId },
    content: {
      [EVENT_STREAM]: { type: 'array', description: 'An endless stream of events.', items: { oneOf: kinds } },
    },
    problems: [406, 503],
    isConditional: false,
  }
}
