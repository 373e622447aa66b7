import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../../errors.ts'
import { noteArrival } from '../request/message.ts'
import { DEFAULT_HEADERS } from '../response/default-headers.ts'
import { methodNotAllowed, problemResponse } from '../response/problem-response.ts'
import { MAX_RESPONSES_PER_CONNECTION, MAX_UNSENT_PER_CONNECTION, MAX_WAITING_REQUESTS } from './limits.ts'
import type { Scheduler } from './scheduler.ts'

/** The connections of a server: how many of their requests are handled at once, and how they end. */
export interface ClientConnections {
  /** Receives the requests of all connections. */
  readonly listener: RequestListener
  /**
   * Responds to what never became a request: broken HTTP, headers over the limit, a client too slow to send them. The
   * connection is closed, since the start of the next request is unknown. Where another response is due or the request has
   * had one already, there is none.
   */
  refuse(error: Error & { code?: string }, socket: Socket): void
  /** Refuses a request with the method CONNECT, whose connection Node would close. */
  refuseConnect(socket: Socket): void
}

export interface ConnectionsOptions {
  readonly handle: RequestListener
  readonly scheduler: Pick<Scheduler, 'hasTime' | 'startLater'>
  /** Identifies the client, who shares the time for starting requests with others. */
  readonly clientOf: (message: IncomingMessage) => string
  readonly baseUrl: () => string
  /** Called for each response to what never became a request, with its status and the code of the error. */
  readonly onUnreadable?: (status: number, error: string | undefined) => void
  /** Called when a connection is reset because too many requests wait. */
  readonly onReset?: () => void
  /** Requests that may wait on all connections together. */
  readonly maxWaiting?: number
}

/** The requests of one connection. */
interface Connection {
  readonly inFlight: ServerResponse[]
  /** Requests that have not been started: parsed with others, or in a turn of the event loop that was spent. */
  readonly waiting: (readonly [request: IncomingMessage, response: ServerResponse])[]
  isPaused: boolean
  /** True while a waiting request is about to start. */
  isScheduled: boolean
  /** True once no further request is taken: the connection closes when those before have their responses. */
  isEnding: boolean
  /** The last request that was started. */
  last?: IncomingMessage
}

/** The code of the error of a request with the method CONNECT. */
const CONNECT_METHOD = 'CONNECT_METHOD'

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

/** How long what a client still sends is dropped, after all has been sent to it. */
const LINGER_MS = 1000

/**
 * Limits the requests of a connection that are handled at once, and starts no further one while a client leaves responses
 * unread. A chunk of bytes may hold hundreds of pipelined requests, and the parser emits all of them: they are queued,
 * and reading pauses until all have been started.
 */
export function createConnections(options: ConnectionsOptions): ClientConnections {
  const { handle, scheduler, clientOf, baseUrl, maxWaiting = MAX_WAITING_REQUESTS } = options
  const { onUnreadable = () => {}, onReset = () => {} } = options
  const connections = new WeakMap<Socket, Connection>()
  let waitingRequests = 0

  function listener(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const connection = connections.get(socket) ?? track(socket)
    // The parser emits the rest of a chunk after its connection was closed, too.
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
    // Node resumes a socket on drain, even if it did not pause it.
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
   * Takes no further request from a connection, whose input cannot be read. Returns whether an error response may be
   * written now: it must never take the place of another response, nor follow the complete one to the same request. If not,
   * the connection closes by itself when its responses have been sent.
   */
  function endInput(socket: Socket): boolean {
    const connection = connections.get(socket) ?? track(socket)
    if (connection.isEnding) return false
    connection.isEnding = true
    const { inFlight, waiting, last } = connection
    if (inFlight.length + waiting.length > 0) pause(connection, socket)
    // What cannot be read may be the rest of a body, or its beginning in place of a body that was never sent.
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
    onUnreadable(problem.status, error.code)
    const { headers, body } = problemResponse(problem, '', baseUrl())
    const all = [...DEFAULT_HEADERS, ...headers, 'connection', 'close']
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
      // Node has removed its own listeners: an error without one would end the process, a response would stop half-way.
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

/** Node closes only the response that has the socket; those behind it would keep what they have opened. */
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
 * Closes a connection whose input is of no use when all that is written has been sent. What arrives meanwhile and for a
 * moment after is read and dropped: a connection that is closed with input unread is reset, and its client loses what it
 * has not read (RFC 9112 9.6).
 */
function closeLingering(socket: Socket): void {
  // A new listener takes the input from Node's parser.
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
