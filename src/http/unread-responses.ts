import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../errors.ts'
import { MINUTE_MS } from '../values/time-units.ts'

/** Why a connection was reset: its client reads too slowly, or unread responses take too much memory. */
export type ResetReason = 'slow' | 'memory'

/** The responses that clients have not read yet, over all connections, and the memory that these responses hold. */
export interface UnreadResponses {
  /**
   * Makes room for a stream that will hold `bytes`, by resetting connections of clients that hold more than this client would.
   * Throws the problem OVERLOADED if no client holds more.
   */
  admit(client: string, bytes: number): void
  /** Watches a client's response until it closes. A stream may take any time while its client makes progress. */
  watch(response: ServerResponse, client: string, held: Held): void
  /** Returns the memory that the responses hold. A body that several clients wait for counts once. */
  bytes(): number
}

/** The memory of a response until it closes: its body, or the most bytes that its stream holds. */
export type Held = Buffer | { readonly bytes: number }

export interface UnreadResponsesOptions {
  readonly onReset?: (reason: ResetReason) => void
  readonly maxBytes?: number
  readonly now?: () => number
}

/** How often the progress of all clients is checked. */
const CHECK_MS = 500

/**
 * The connection is reset if its client takes no part of a response in this time. Node counts a write only when the kernel has
 * taken all of it. So one write must be much smaller than the bytes that a phone at 4 KB/s reads in this time.
 */
const STALLED_MS = 20_000

/**
 * The kernel takes further bytes only when a third of its buffer is free. The buffer grows while the client reads: with a phone at
 * 4 KB/s, more than 20 s pass between two writes. So a client that has read on after a pause gets more time.
 */
const PAUSE_MS = 4000
const STALLED_READER_MS = MINUTE_MS

/** A stored body may take a minute, plus the time that a client needs for it at 4 KB/s. */
const LEAST_DEADLINE_MS = MINUTE_MS
const LEAST_BYTES_PER_MS = 4

/** Beyond this, connections of the client that holds the most are reset, starting with the longest stalled. */
const MAX_BYTES = 64 * 2 ** 20

/** Retry-After, in seconds. */
const RETRY_AFTER_S = 5

const OVERLOADED = new Problem('OVERLOADED', 'Downloads in progress take all the memory for them.', {
  retryAfterS: RETRY_AFTER_S,
})

interface Connection {
  readonly client: string
  readonly held: Held[]
  taken: number
  /** The time of the last progress. */
  since: number
  /** Whether the last check found bytes to send and no progress. */
  isStalled: boolean
  patienceMs: number
  deadline: number
}

/**
 * Creates an empty registry of unread responses. One timer serves all connections, and runs only while a connection is watched.
 */
export function watchUnreadResponses(options: UnreadResponsesOptions = {}): UnreadResponses {
  const { onReset = () => {}, maxBytes = MAX_BYTES, now = () => performance.now() } = options
  const connections = new Map<Socket, Connection>()
  const all = createAccount()
  const byClient = new Map<string, Account>()
  let timer: NodeJS.Timeout | undefined

  function letGo(client: string, held: Held): void {
    all.letGo(held)
    const own = byClient.get(client)
    own?.letGo(held)
    if (own?.bytes === 0) byClient.delete(client)
  }

  function forget(socket: Socket): void {
    const { client, held } = connections.get(socket) ?? { client: '', held: [] }
    for (const each of held) letGo(client, each)
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

  function closed(socket: Socket, held: Held): void {
    const connection = connections.get(socket)
    const index = connection?.held.indexOf(held) ?? -1
    if (connection === undefined || index < 0) return
    connection.held.splice(index, 1)
    letGo(connection.client, held)
    if (connection.held.length === 0) forget(socket)
  }

  function check(): void {
    const at = now()
    for (const [socket, connection] of connections) {
      const taken = bytesTaken(socket)
      const hasTaken = taken > connection.taken
      if (hasTaken && connection.isStalled && at - connection.since >= PAUSE_MS)
        connection.patienceMs = STALLED_READER_MS
      // With nothing left to send, the client is waiting for the service.
      connection.isStalled = !hasTaken && socket.writableLength > 0
      if (!connection.isStalled) Object.assign(connection, { taken, since: at })
      if (at - connection.since >= connection.patienceMs || at >= connection.deadline) reset(socket, 'slow')
    }
  }

  /** Resets connections of the client that holds the most until `bytes` more fit. Returns whether they fit. */
  function makeRoom(bytes: number, client?: string): boolean {
    const wanted = client === undefined ? 0 : (byClient.get(client)?.bytes ?? 0) + bytes
    while (all.bytes + bytes > maxBytes) {
      const [most, share] = [...byClient].reduce(
        (one, other) => (other[1].bytes > one[1].bytes ? other : one),
        NOBODY,
      )
      if (share.bytes <= wanted) return false
      const theirs = [...connections].filter(([, connection]) => connection.client === most)
      const [[socket] = []] = theirs.sort(([, one], [, other]) => one.since - other.since)
      if (socket === undefined) return false
      reset(socket, 'memory')
    }
    return true
  }

  function track(socket: Socket, client: string): Connection {
    const since = now()
    const connection = {
      client,
      held: [],
      taken: bytesTaken(socket),
      since,
      isStalled: false,
      patienceMs: STALLED_MS,
      deadline: since + LEAST_DEADLINE_MS,
    }
    connections.set(socket, connection)
    timer ??= setInterval(check, CHECK_MS).unref()
    return connection
  }

  return {
    admit(client, bytes) {
      if (!makeRoom(bytes, client)) throw OVERLOADED
    },
    watch(response, client, held) {
      const { socket } = response.req
      if (socket.destroyed) return
      const connection = connections.get(socket) ?? track(socket, client)
      connection.held.push(held)
      connection.deadline += Buffer.isBuffer(held)
        ? held.length / LEAST_BYTES_PER_MS
        : Number.POSITIVE_INFINITY
      all.hold(held)
      const own = byClient.get(connection.client) ?? createAccount()
      byClient.set(connection.client, own)
      own.hold(held)
      response.once('close', () => closed(socket, held))
      makeRoom(0)
    },
    bytes: () => all.bytes,
  }
}

/** Counts the bytes of bodies and streams. A body that several responses share counts once. */
function createAccount() {
  const holders = new Map<Held, number>()
  let bytes = 0
  return {
    get bytes() {
      return bytes
    },
    hold(held: Held): void {
      const count = holders.get(held) ?? 0
      holders.set(held, count + 1)
      if (count === 0) bytes += sizeOf(held)
    },
    letGo(held: Held): void {
      const count = holders.get(held) ?? 0
      if (count > 1) holders.set(held, count - 1)
      else if (holders.delete(held)) bytes -= sizeOf(held)
    },
  }
}
type Account = ReturnType<typeof createAccount>

const NOBODY: [client: string, share: Account] = ['', createAccount()]

const sizeOf = (held: Held): number => (Buffer.isBuffer(held) ? held.length : held.bytes)

/** The bytes that the kernel has taken, in whole writes. */
const bytesTaken = ({ bytesWritten, writableLength }: Socket): number => bytesWritten - writableLength
