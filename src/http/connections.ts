import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../errors.ts'
import { DEFAULT_HEADERS } from './default-headers.ts'
import { MAX_RESPONSES_PER_CONNECTION, MAX_UNSENT_PER_CONNECTION, MAX_WAITING_REQUESTS } from './limits.ts'
import { methodNotAllowed, problemResponse } from './problems.ts'
import { noteArrival, traceOf } from './request.ts'
import type { Scheduler } from './scheduler.ts'

/** A server's connections: how many of their requests are handled at the same time, and how connections end. */
interface ClientConnections {
  /** Receives the requests of all connections. */
  readonly listener: RequestListener
  /**
   * Responds to input that never became a request: broken HTTP, headers over the limit, a client too slow to send them. The
   * connection is closed, since the start of the next request is unknown. Sends nothing if another response is due, or if the
   * request already had a response.
   */
  refuse(error: Error & { code?: string }, socket: Socket): void
  /** Refuses a request with the method CONNECT. Without this, Node would close the connection. */
  refuseConnect(socket: Socket): void
}

export interface ConnectionsOptions {
  readonly handle: RequestListener
  readonly scheduler: Pick<Scheduler, 'hasTime' | 'startLater'>
  /** Identifies the client. Clients share the time for starting requests. */
  readonly clientOf: (message: IncomingMessage) => string
  readonly baseUrl: () => string
  /** Called for each response to input that never became a request. `error` is the code of the error. */
  readonly onUnreadable?: (status: number, error: string | undefined, traceId: string) => void
  /** Called when a connection is reset because too many requests wait. */
  readonly onReset?: () => void
  /** The most requests that wait, over all connections. */
  readonly maxWaiting?: number
}

/** The requests of one connection. */
interface Connection {
  readonly inFlight: ServerResponse[]
  /** Requests not started yet: pipelined ones, or those parsed in a turn of the event loop without time left. */
  readonly waiting: (readonly [request: IncomingMessage, response: ServerResponse])[]
  isPaused: boolean
  /** True while a waiting request is about to start. */
  isScheduled: boolean
  /** True once the connection takes no further request. It closes when the earlier requests have their responses. */
  isEnding: boolean
  /** The last request that was started. */
  last?: IncomingMessage
}

/** The code of the error of a request with the method CONNECT. */
const CONNECT_METHOD = 'CONNECT_METHOD'

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

/** After the last byte to a client, its input is read and dropped for this long. */
const LINGER_MS = 1000

/**
 * Limits how many requests of a connection are handled at the same time, and starts none while the client leaves too much
 * unread. One chunk of bytes may hold hundreds of pipelined requests, and the parser emits them all. They are queued, and
 * reading pauses until all have been started.
 */
export function createConnections(options: ConnectionsOptions): ClientConnections {
  const { handle, scheduler, clientOf, baseUrl, maxWaiting = MAX_WAITING_REQUESTS } = options
  const { onUnreadable = () => {}, onReset = () => {} } = options
  const connections = new WeakMap<Socket, Connection>()
  let waitingRequests = 0

  function listener(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const connection = connections.get(socket) ?? track(socket)
    // The parser still emits the rest of a chunk after its connection was closed.
    if (connection.isEnding || socket.destroyed) return
    const isAlone = connection.waiting.length === 0 && connection.inFlight.length === 0
    if (isAlone && scheduler.hasTime()) {
      start(connection, request, response)
      return
    }
    if (!isAlone && waitingRequests >= maxWaiting) {
      onReset()
      socket.resetAndDestroy()
      return
    }
    noteArrival(request)
    waitingRequests++
    connection.waiting.push([request, response])
    if (!isAlone) pause(connection, socket)
    schedule(connection, socket)
  }

  function track(socket: Socket): Connection {
    const connection: Connection = {
      inFlight: [],
      waiting: [],
      isPaused: false,
      isScheduled: false,
      isEnding: false,
    }
    connections.set(socket, connection)
    // Node resumes a socket on drain, even one that Node did not pause.
    socket.on('resume', () => {
      if (connection.isPaused) socket.pause()
    })
    socket.once('close', () => {
      waitingRequests -= connection.waiting.splice(0).length
      connection.inFlight.splice(0).forEach(abandon)
    })
    return connection
  }

  function hasRoom({ inFlight }: Connection): boolean {
    if (inFlight.length === 0) return true
    return inFlight.length < MAX_RESPONSES_PER_CONNECTION && unsentBytes(inFlight) < MAX_UNSENT_PER_CONNECTION
  }

  function start(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.inFlight.push(response)
    connection.last = request
    response.on('close', released)
    handle(request, response)
  }

  function released(this: ServerResponse): void {
    const { socket } = this.req
    const connection = connections.get(socket)
    if (connection === undefined) return
    const index = connection.inFlight.indexOf(this)
    if (index >= 0) connection.inFlight.splice(index, 1)
    if (socket.destroyed) return
    proceed(connection, socket)
  }

  /** Starts a waiting request in a later turn: hundreds in one turn would hold up every other connection. */
  function schedule(connection: Connection, socket: Socket): void {
    const [next] = connection.waiting
    if (connection.isScheduled || next === undefined || !hasRoom(connection)) return
    connection.isScheduled = true
    scheduler.startLater(clientOf(next[0]), () => startNext(connection, socket))
  }

  function startNext(connection: Connection, socket: Socket): void {
    connection.isScheduled = false
    if (socket.destroyed) return
    const next = hasRoom(connection) ? connection.waiting.shift() : undefined
    if (next !== undefined) {
      waitingRequests--
      start(connection, ...next)
    }
    proceed(connection, socket)
  }

  function proceed(connection: Connection, socket: Socket): void {
    const { inFlight, waiting } = connection
    if (waiting.length > 0) schedule(connection, socket)
    else if (connection.isEnding) {
      if (inFlight.length === 0) closeEnding(connection, socket)
    } else if (connection.isPaused) {
      connection.isPaused = false
      socket.resume()
    }
  }

  /**
   * Takes no further request from a connection with unreadable input. Returns whether an error response may be written now. The
   * client must not read the error as the response to another request, or as a second response to the same request. If false,
   * the connection closes by itself after its last response.
   */
  function endInput(socket: Socket): boolean {
    const connection = connections.get(socket) ?? track(socket)
    if (connection.isEnding) return false
    connection.isEnding = true
    const { inFlight, waiting, last } = connection
    if (inFlight.length + waiting.length > 0) pause(connection, socket)
    // The unreadable bytes may be the rest of a body. Or a client announced a body and did not send it, so that the parser took
    // the start of its next request for the body.
    else if (last !== undefined && (!last.complete || hasBody(last))) closeEnding(connection, socket)
    else return true
    return false
  }

  function refuse(error: Error & { code?: string }, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    if (!endInput(socket)) return
    const problem = describe(error.code)
    const trace = traceOf()
    onUnreadable(problem.status, error.code, trace.id)
    const { headers, body } = problemResponse(problem, '', baseUrl(), trace.id)
    const all = [...DEFAULT_HEADERS, ...headers, ...trace.header, 'connection', 'close']
    const head = [`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`]
    for (let i = 0; i < all.length; i += 2) head.push(`${all[i]}: ${all[i + 1]}`)
    socket.write(`${head.join('\r\n')}\r\n\r\n${String(body)}`)
    // The client timed out, so there is no input to drop.
    if (error.code === TIMEOUT) socket.destroySoon()
    else closeLingering(socket)
  }

  return {
    listener,
    refuse,
    refuseConnect(socket) {
      // Node has removed its own listeners. Without new ones, an error would end the process, and a response would stop
      // half-way.
      socket.on('error', () => socket.destroy())
      const connection = connections.get(socket)
      socket.on('drain', () =>
        connection?.inFlight.find(response => response.socket === socket)?.emit('drain'),
      )
      refuse(Object.assign(new Error('CONNECT'), { code: CONNECT_METHOD }), socket)
    },
  }
}

function closeEnding(connection: Connection, socket: Socket): void {
  connection.isPaused = false
  closeLingering(socket)
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Node closes only the response that has the socket. The responses queued behind it would keep their open files and streams.
 */
function abandon(response: ServerResponse): void {
  if (response.socket !== null || response.destroyed) return
  response.destroy()
  response.emit('close')
}

function unsentBytes(responses: readonly ServerResponse[]): number {
  let sum = 0
  for (const { writableLength } of responses) sum += writableLength
  return sum
}

function pause(connection: Connection, socket: Socket): void {
  if (connection.isPaused) return
  connection.isPaused = true
  socket.pause()
}

const drop = () => {}

/**
 * Closes a connection whose input is useless, once all written bytes have been sent. Until then and for a moment after, input
 * is read and dropped. A connection closed with unread input is reset, and its client loses what it has not read yet (RFC 9112
 * 9.6).
 */
function closeLingering(socket: Socket): void {
  // Adding a listener takes the input away from Node's parser.
  socket.removeAllListeners('data').on('data', drop)
  socket.resume()
  socket.end(() => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer))
  })
}

function describe(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('HEADERS_TOO_LARGE', 'The request line and headers exceed 8 KiB.')
  if (code === TIMEOUT) return new Problem('REQUEST_TIMEOUT', 'The request did not arrive in time.')
  if (code === CONNECT_METHOD) return methodNotAllowed()
  if (code === 'HPE_INVALID_URL')
    return new Problem(
      'BAD_REQUEST',
      'The URL has a character that must be percent-encoded: é, for example, is %C3%A9.',
    )
  return new Problem('BAD_REQUEST', 'This is not a valid HTTP request.')
}
