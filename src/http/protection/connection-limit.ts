import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_RESPONSES_PER_CONNECTION } from './limits.ts'

/** The requests of one connection. */
interface Connection {
  inFlight: number
  /** Requests that were parsed with others and have not been started. */
  readonly waiting: (() => void)[]
  isPaused: boolean
  /** True once a response is being sent that ends with the connection: requests behind it get no response. */
  hasLastResponse: boolean
}

const connections = new WeakMap<Socket, Connection>()

/**
 * Limits the requests of a connection that are handled at once. A chunk of bytes may hold hundreds of pipelined requests,
 * and the parser emits all of them: they are queued, and reading pauses until all have been started.
 */
export function limitConnections(
  handle: RequestListener,
  limit = MAX_RESPONSES_PER_CONNECTION,
): RequestListener {
  return (request, response) => {
    const connection = connections.get(request.socket) ?? open(request.socket)
    if (connection.inFlight < limit) {
      start(connection, request, response)
      return
    }
    // A paused socket does not detect that its client has disconnected, so an event stream would never be released.
    if (connection.hasLastResponse) {
      request.socket.destroySoon()
      return
    }
    connection.waiting.push(() => start(connection, request, response))
    if (connection.isPaused) return
    connection.isPaused = true
    request.socket.pause()
  }

  function start(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.inFlight++
    response.on('close', released)
    handle(request, response)
  }

  function released(this: ServerResponse): void {
    const { socket } = this.req
    const connection = connections.get(socket)
    if (connection === undefined || socket.destroyed) return
    connection.inFlight--
    while (connection.inFlight < limit) {
      const next = connection.waiting.shift()
      if (next === undefined) break
      next()
    }
    if (!connection.isPaused || connection.waiting.length > 0) return
    connection.isPaused = false
    socket.resume()
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

function open(socket: Socket): Connection {
  const connection: Connection = { inFlight: 0, waiting: [], isPaused: false, hasLastResponse: false }
  connections.set(socket, connection)
  // Node resumes a socket on drain, even if it did not pause it.
  socket.on('resume', () => {
    if (connection.isPaused) socket.pause()
  })
  socket.once('close', () => connection.waiting.splice(0))
  return connection
}
