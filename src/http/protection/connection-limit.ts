import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_RESPONSES_PER_CONNECTION, MAX_UNSENT_PER_CONNECTION, MAX_WAITING_REQUESTS } from './limits.ts'

/** The requests of one connection. */
interface Connection {
  readonly inFlight: Set<ServerResponse>
  /** Requests that were parsed with others and have not been started. */
  readonly waiting: (readonly [request: IncomingMessage, response: ServerResponse])[]
  isPaused: boolean
  /** True once a response is being sent that ends with the connection: requests behind it get no response. */
  hasLastResponse: boolean
  /** True once no further request is taken: the connection closes when those before have their responses. */
  isEnding: boolean
  /** The last request that was started. */
  last?: IncomingMessage
}

const connections = new WeakMap<Socket, Connection>()

export interface ConnectionLimits {
  readonly responses?: number
  /** Requests that may wait on all connections together. */
  readonly waiting?: number
  /** Called when a connection is reset because too many requests wait. */
  readonly onReset?: () => void
}

/**
 * Limits the requests of a connection that are handled at once, and starts no further one while a client leaves responses
 * unread. A chunk of bytes may hold hundreds of pipelined requests, and the parser emits all of them: they are queued,
 * and reading pauses until all have been started.
 */
export function limitConnections(handle: RequestListener, limits: ConnectionLimits = {}): RequestListener {
  const { responses: limit = MAX_RESPONSES_PER_CONNECTION, onReset = () => {} } = limits
  const { waiting: mostWaiting = MAX_WAITING_REQUESTS } = limits
  let waitingRequests = 0

  return (request, response) => {
    const { socket } = request
    const connection = connections.get(socket) ?? track(socket)
    // The parser emits the rest of a chunk after its connection was closed, too.
    if (connection.isEnding || socket.destroyed) return
    if (connection.waiting.length === 0 && hasRoom(connection)) {
      start(connection, request, response)
      return
    }
    // A paused socket does not detect that its client has disconnected, so an event stream would never be released.
    if (connection.hasLastResponse) {
      socket.destroySoon()
      return
    }
    if (waitingRequests >= mostWaiting) {
      onReset()
      socket.resetAndDestroy()
      return
    }
    waitingRequests++
    connection.waiting.push([request, response])
    pause(connection, socket)
  }

  function track(socket: Socket): Connection {
    const connection = open(socket)
    socket.once('close', () => {
      waitingRequests -= connection.waiting.splice(0).length
      connection.inFlight.forEach(abandon)
    })
    return connection
  }

  function hasRoom({ inFlight }: Connection): boolean {
    if (inFlight.size === 0) return true
    return inFlight.size < limit && unsentBytes(inFlight) < MAX_UNSENT_PER_CONNECTION
  }

  function start(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.inFlight.add(response)
    connection.last = request
    response.on('close', released)
    handle(request, response)
  }

  function released(this: ServerResponse): void {
    const { socket } = this.req
    const connection = connections.get(socket)
    if (connection === undefined) return
    const { inFlight, waiting } = connection
    inFlight.delete(this)
    if (socket.destroyed) return
    while (hasRoom(connection)) {
      const next = waiting.shift()
      if (next === undefined) break
      waitingRequests--
      start(connection, ...next)
    }
    if (waiting.length > 0) return
    if (connection.isEnding) {
      if (inFlight.size === 0) socket.destroySoon()
    } else if (connection.isPaused) {
      connection.isPaused = false
      socket.resume()
    }
  }
}

/**
 * Records that the response now being sent on a connection ends with it. The connection is closed when more requests
 * arrive behind that response than may be in flight.
 */
export function noteLastResponse(socket: Socket): void {
  const connection = connections.get(socket)
  if (connection !== undefined) connection.hasLastResponse = true
}

/**
 * Takes no further request from a connection, whose input cannot be read. Returns whether an error response may be
 * written now: it must never take the place of another response, nor follow the complete one to the same request. If not,
 * the connection closes by itself when its responses have been sent.
 */
export function endInput(socket: Socket): boolean {
  const connection = connections.get(socket) ?? open(socket)
  if (connection.isEnding) return false
  connection.isEnding = true
  const { inFlight, hasLastResponse, last } = connection
  if (inFlight.size > 0 && !hasLastResponse) {
    pause(connection, socket)
    return false
  }
  // What cannot be read may be the rest of a body, or its beginning in place of a body that was never sent.
  if (hasLastResponse || (last !== undefined && (!last.complete || hasBody(last)))) {
    socket.destroySoon()
    return false
  }
  return true
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Node closes only the response that has the socket; those behind it would keep what they have opened. */
function abandon(response: ServerResponse): void {
  if (response.socket !== null || response.destroyed) return
  response.destroy()
  response.emit('close')
}

function unsentBytes(responses: Iterable<ServerResponse>): number {
  let sum = 0
  for (const { writableLength } of responses) sum += writableLength
  return sum
}

function pause(connection: Connection, socket: Socket): void {
  if (connection.isPaused) return
  connection.isPaused = true
  socket.pause()
}

function open(socket: Socket): Connection {
  const connection: Connection = {
    inFlight: new Set(),
    waiting: [],
    isPaused: false,
    hasLastResponse: false,
    isEnding: false,
  }
  connections.set(socket, connection)
  // Node resumes a socket on drain, even if it did not pause it.
  socket.on('resume', () => {
    if (connection.isPaused) socket.pause()
  })
  return connection
}
