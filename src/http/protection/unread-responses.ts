import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Why a connection was reset: its client reads too slowly, or unread responses take too much memory. */
export type ResetReason = 'slow' | 'memory'

/** The responses that clients have not taken yet, over all connections. */
export interface UnreadResponses {
  /** Watches a response until it is closed. A stream has no body; it may take as long as its client makes progress. */
  watch(response: ServerResponse, body?: Buffer): void
  /** The memory that they hold. A body that several clients wait for counts once. */
  bytes(): number
}

export interface UnreadResponsesOptions {
  readonly onReset?: (reason: ResetReason) => void
  readonly maxBytes?: number
  readonly now?: () => number
}

/** How often the progress of all clients is checked. */
const CHECK_MS = 500

/** A client that takes nothing is reset after this time. */
const STALLED_MS = 4000

/**
 * One that reads gets longer: a kernel accepts further bytes only when a third of its buffer is free, which takes a phone
 * with 4 KB/s some ten seconds.
 */
const SLOW_MS = 24_000

/**
 * The two kernels take megabytes for a client that reads nothing, on a busy machine for many seconds. So a client reads if
 * they take more after these many checks without progress, or more than Linux's defaults (tcp_wmem, tcp_rmem) let them hold.
 */
const BLOCKED_CHECKS = 2
const KERNEL_BYTES = 10 * 2 ** 20

/** What counts as progress. */
const PROGRESS_BYTES = 8192

/** A stored body may take a minute, and longer where it is longer than a client with 4 KB/s reads in that time. */
const LEAST_DEADLINE_MS = 60_000
const LEAST_BYTES_PER_MS = 4

/** The memory of a stream: the batch being sent, the next one, and the state of its compression. */
const STREAM_BYTES = 524_288

/** Beyond this, connections are reset: first those whose clients take nothing, the oldest first. */
const MAX_BYTES = 64 * 2 ** 20

interface Connection {
  /** What its unread responses hold: bodies, and an object for each stream. */
  readonly held: object[]
  readonly takenBefore: number
  taken: number
  /** The time of the last progress, and the checks without any since. */
  since: number
  blockedChecks: number
  isReading: boolean
  deadline: number
}

/** Creates the registry of unread responses, empty. One timer serves all connections, and runs only while there are any. */
export function watchUnreadResponses(options: UnreadResponsesOptions = {}): UnreadResponses {
  const { onReset = () => {}, maxBytes = MAX_BYTES, now = () => performance.now() } = options
  const connections = new Map<Socket, Connection>()
  /** How many responses hold a body or stream. */
  const holders = new Map<object, number>()
  let bytes = 0
  let timer: NodeJS.Timeout | undefined

  function hold(held: object): void {
    const count = holders.get(held) ?? 0
    holders.set(held, count + 1)
    if (count === 0) bytes += sizeOf(held)
  }

  function letGo(held: object): void {
    const count = holders.get(held) ?? 0
    if (count > 1) holders.set(held, count - 1)
    else if (holders.delete(held)) bytes -= sizeOf(held)
  }

  function forget(socket: Socket): void {
    connections.get(socket)?.held.forEach(letGo)
    connections.delete(socket)
    if (connections.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function reset(socket: Socket, reason: ResetReason): void {
    forget(socket)
    onReset(reason)
    // Frees the kernel's buffer as well.
    socket.resetAndDestroy()
  }

  function closed(socket: Socket, held: object): void {
    const connection = connections.get(socket)
    const index = connection?.held.indexOf(held) ?? -1
    if (connection === undefined || index < 0) return
    connection.held.splice(index, 1)
    letGo(held)
    if (connection.held.length === 0) forget(socket)
  }

  function check(): void {
    const at = now()
    for (const [socket, connection] of connections) {
      const taken = bytesTaken(socket)
      if (taken - connection.taken >= PROGRESS_BYTES) {
        const { blockedChecks, takenBefore } = connection
        connection.isReading ||= blockedChecks >= BLOCKED_CHECKS || taken - takenBefore > KERNEL_BYTES
        Object.assign(connection, { taken, since: at, blockedChecks: 0 })
        // With nothing to send it is the service that the client waits for.
      } else if (socket.writableLength === 0) Object.assign(connection, { since: at, blockedChecks: 0 })
      else connection.blockedChecks++
      const patienceMs = connection.isReading ? SLOW_MS : STALLED_MS
      if (at - connection.since >= patienceMs || at >= connection.deadline) reset(socket, 'slow')
    }
  }

  function freeMemory(): void {
    const stalled = now() - 2 * CHECK_MS
    const byAge = [...connections]
    const victims = [
      ...byAge.filter(([, { since }]) => since < stalled),
      ...byAge.filter(([, { since }]) => since >= stalled),
    ]
    for (const [socket] of victims) {
      if (bytes <= maxBytes) return
      reset(socket, 'memory')
    }
  }

  function track(socket: Socket): Connection {
    const since = now()
    const taken = bytesTaken(socket)
    const progress = { takenBefore: taken, taken, since, blockedChecks: 0, isReading: false }
    const connection = { held: [], ...progress, deadline: since + LEAST_DEADLINE_MS }
    connections.set(socket, connection)
    timer ??= setInterval(check, CHECK_MS).unref()
    return connection
  }

  return {
    watch(response, body) {
      const { socket } = response.req
      if (socket.destroyed) return
      const connection = connections.get(socket) ?? track(socket)
      const held = body ?? {}
      connection.held.push(held)
      connection.deadline += body === undefined ? Number.POSITIVE_INFINITY : body.length / LEAST_BYTES_PER_MS
      hold(held)
      response.once('close', () => closed(socket, held))
      if (bytes > maxBytes) freeMemory()
    },
    bytes: () => bytes,
  }
}

const sizeOf = (held: object): number => (Buffer.isBuffer(held) ? held.length : STREAM_BYTES)

interface Handle {
  readonly bytesWritten?: number
  readonly writeQueueSize?: number
}

/**
 * The bytes that the kernel has taken. Node's public counts change only with a whole write, which may be megabytes; they
 * serve where the handle has none.
 */
function bytesTaken(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: Handle | null }
  if (handle?.bytesWritten !== undefined && handle.writeQueueSize !== undefined)
    return handle.bytesWritten - handle.writeQueueSize
  return socket.bytesWritten - socket.writableLength
}
