import type { TSchema } from 'typebox'
import { Problem } from '../errors.ts'
import { addEndpoint } from './endpoint.ts'
import type { OpenBody } from './representation.ts'
import type { ParsedRequest } from './request.ts'
import type { Router } from './router.ts'

const LAST_EVENT_ID = {
  type: 'string',
  description: 'The id of the last event that you received: you get the events that you missed.',
}

/** The bytes of one event. `data` is text without line breaks, as JSON is. */
export function eventBytes(name: string, id: string, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`event: ${name}\nid: ${id}\ndata: `), data, Buffer.from('\n\n')])
}

/** An endpoint that responds with server-sent events (HTML living standard 9.2): its documentation and its events. */
interface EventStream {
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

/** Adds a stream for GET and HEAD. OpenAPI describes it as an array of events, each kind with its own data. */
export function addEventStream(router: Router, stream: EventStream): void {
  const { path, operationId, tag, summary, description, idDescription } = stream
  const { eventClients } = router.shared
  router.onClose(stream.subscribe(event => eventClients.send(path, event)))
  const kinds = Object.entries(stream.events).map(([name, { description, data }]) => ({
    type: 'object',
    description,
    properties: {
      event: { type: 'string', enum: [name] },
      id: { type: 'string', description: idDescription },
      data: { type: 'string', contentMediaType: 'application/json', contentSchema: data },
    },
    required: ['event', 'id', 'data'],
  }))
  addEndpoint(router, {
    path,
    operationId,
    tag,
    summary,
    description,
    parameters: {},
    kind: 'events',
    headers: { 'Last-Event-ID': LAST_EVENT_ID },
    mediaType: 'text/event-stream; charset=utf-8',
    response: { type: 'array', description: 'An endless stream of events.', items: { oneOf: kinds } },
    problems: [503],
    respond: () => ({
      synthetic: stream.synthetic(),
      lastModified: new Date(),
      maxAge: 0,
      staleIfError: 0,
      isUnkept: true,
      body: { follow },
    }),
  })

  function follow(request: ParsedRequest): OpenBody | undefined {
    const { headers, response } = request
    const lastId = headers['last-event-id']
    const first = stream.firstEvent(lastId === undefined ? undefined : String(lastId)) ?? NOTHING_MISSED
    const client = request.client()
    eventClients.requireRoom(client)
    if (response.req.method === 'HEAD') return undefined
    requireOwnConnection(response)
    return {
      attach(response) {
        // A closed response emits no further 'close', so its client would never be removed.
        if (!response.destroyed) eventClients.follow(path, client, response, first)
      },
    }
  }
}

/** Behind another response of the same connection, the stream would wait, count as a client and buffer events. */
function requireOwnConnection({ socket, destroyed }: ParsedRequest['response']): void {
  if (socket === null && !destroyed)
    throw new Problem(
      'BAD_REQUEST',
      'Another response is being sent on this connection: request the stream on a separate connection.',
    )
}
