import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_RESPONSES_PER_CONNECTION, MAX_UNSENT_PER_CONNECTION, MAX_WAITING_REQUESTS } from './limits.ts'
import { closeLingering } from './lingering-close.ts'
import type { RequestScheduler } from './request-scheduler.ts'

/** The requests of one connection. */
interface Connection {
  readonly inFlight: ServerResponse[]
  /** Requests that have not been started: parsed with others, or in a turn of the event loop that was spent. */
  readonly waiting: (readonly [request: IncomingMessage, response: ServerResponse])[]
  isPaused: boolean
  /** True while a waiting request is about to start. */
  isScheduled: boolean
  /** True once a response is being sent that ends with the connection: requests behind it get no response. */
  hasLastResponse: boolean
  /** True once no further request is taken: the connection closes when those before have their responses. */
  isEnding: boolean
  /** The last request that was started. */
  last?: IncomingMessage
}

const connections = new WeakMap<Socket, Connection>()

const UNSCHEDULED: Pick<RequestScheduler, 'hasTime' | 'startLater'> = {
  hasTime: () => true,
  startLater: (_request, begin) => setImmediate(begin),
}

export interface ConnectionLimits {
  readonly responses?: number
  /** Requests that may wait on all connections together. */
  readonly waiting?: number
  /** Without it a request that is alone on its connection is started at once. */
  readonly scheduler?: Pick<RequestScheduler, 'hasTime' | 'startLater'>
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
  const { waiting: mostWaiting = MAX_WAITING_REQUESTS, scheduler = UNSCHEDULED } = limits
  let waitingRequests = 0

  return (request, response) => {
    const { socket } = request
    const connection = connections.get(socket) ?? track(socket)
    // The parser emits the rest of a chunk after its connection was closed, too.
    if (connection.isEnding || socket.destroyed) return
    if (connection.waiting.length === 0 && connection.inFlight.length === 0) {
      if (scheduler.hasTime()) start(connection, request, response)
      else {
        wait(connection, request, response)
        schedule(connection, socket)
      }
      return
    }
    // A paused socket does not detect that its client has disconnected, so an event stream would never be released.
    if (connection.hasLastResponse && connection.inFlight.length + connection.waiting.length >= limit) {
      connection.isEnding = true
      socket.destroySoon()
      return
    }
    if (waitingRequests >= mostWaiting) {
      onReset()
      socket.resetAndDestroy()
      return
    }
    wait(connection, request, response)
    pause(connection, socket)
    schedule(connection, socket)
  }

  function wait({ waiting }: Connection, request: IncomingMessage, response: ServerResponse): void {
    waitingRequests++
    waiting.push([request, response])
  }

  function track(socket: Socket): Connection {
    const connection = open(socket)
    socket.once('close', () => {
      waitingRequests -= connection.waiting.splice(0).length
      connection.inFlight.splice(0).forEach(abandon)
    })
    return connection
  }

  function hasRoom({ inFlight }: Connection): boolean {
    if (inFlight.length === 0) return true
    return inFlight.length < limit && unsentBytes(inFlight) < MAX_UNSENT_PER_CONNECTION
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
    scheduler.startLater(next[0], () => startNext(connection, socket))
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
  const { inFlight, waiting, hasLastResponse, last } = connection
  if (inFlight.length + waiting.length > 0 && !hasLastResponse) {
    pause(connection, socket)
    return false
  }
  if (hasLastResponse) {
    socket.destroySoon()
    return false
  }
  // What cannot be read may be the rest of a body, or its beginning in place of a body that was never sent.
  if (last !== undefined && (!last.complete || hasBody(last))) {
    closeEnding(connection, socket)
    return false
  }
  return true
}

/** Continues the response that is being sent each time the client has read what was sent before. */
export function continueOnDrain(socket: Socket): void {
  const connection = connections.get(socket)
  socket.on('drain', () => connection?.inFlight.find(response => response.socket === socket)?.emit('drain'))
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

function open(socket: Socket): Connection {
  const connection: Connection = {
    inFlight: [],
    waiting: [],
    isPaused: false,
    isScheduled: false,
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
