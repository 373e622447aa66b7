import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Problem } from '../errors.ts'
import { type Clock, systemClock } from '../values/clock.ts'

/** The clients of all event streams of an app: their limit, events, heartbeats and disconnection. */
export interface EventClients {
  /** Throws the problem OVERLOADED if all clients together, or this one alone, have reached their limit of streams. */
  requireRoom(client: string): void
  /** Subscribes a client to a stream: sends it `first`, then every event. The response head must have been written. */
  follow(stream: string, client: string, response: ServerResponse, first: Buffer): void
  /** Sends an event to the current clients of a stream. They share the Buffer, so it must not be modified afterwards. */
  send(stream: string, event: Buffer): void
  /** Ends every stream, so that clients reconnect elsewhere; a later client gets its first event, then the end. */
  end(): void
  /** Returns the present counts. */
  figures(): EventFigures
}

export interface EventFigures {
  /** Connected clients. */
  readonly connected: number
  /** Clients dropped so far because they were too slow. */
  readonly dropped: number
  /** Clients refused so far because of the limit. */
  readonly refused: number
}

/** The timers of heartbeats and of lifetimes; tests replace them. */
export type Timers = Pick<Clock, 'setTimeout' | 'clearTimeout'>

export interface EventClientsOptions {
  /** The limit of connected clients. */
  readonly most: number
  /** A stream ends after this time. Its client reconnects; a client that vanished silently frees its place. */
  readonly lifetimeMs: number
  readonly timers?: Timers
}

interface Client {
  readonly key: string
  readonly stream: string
  readonly response: ServerResponse
  readonly ending: unknown
  /** Whether bytes were still buffered at the last heartbeat. */
  wasBehind: boolean
}

/** Proxies close connections that are idle for a minute, some for half a minute. Clients ignore comments. */
const HEARTBEAT = Buffer.from(': still here\n\n')
const HEARTBEAT_MS = 15_000

/** Bytes buffered by Node, without the kernel's buffer. A client this far behind should reconnect and get a new snapshot. */
const MAX_BUFFERED_BYTES = 65_536

/** Clients written to in one turn of the event loop: a millisecond or two of work. */
const CLIENTS_PER_TURN = 100

/** Each client gets a random reconnection delay in this range, so that clients do not all reconnect together. */
const RETRY_MS = { least: 3000, most: 6000 }

/** The share of all streams that one client may hold. */
const SHARE_OF_CLIENT = 0.1

/** The time to flush the last bytes before the connection is reset. */
const LAST_BYTES_MS = 1000

/** Retry-After for a refused client, in seconds. */
const RETRY_AFTER_S = 30

const systemTimers: Timers = {
  // Only connections keep the process alive.
  setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds).unref(),
  clearTimeout: systemClock.clearTimeout,
}

/** Creates the registry of stream clients, empty. */
export function createEventClients(options: EventClientsOptions): EventClients {
  const { most, lifetimeMs, timers = systemTimers } = options
  const mostOfClient = Math.ceil(most * SHARE_OF_CLIENT)
  const clients = new Set<Client>()
  const waiting: { readonly bytes: Buffer; readonly to: readonly Client[] }[] = []
  let isSending = false
  let dropped = 0
  let refused = 0
  let hasEnded = false
  let heartbeat: unknown

  function leave(client: Client): void {
    clients.delete(client)
    timers.clearTimeout(client.ending)
    if (clients.size > 0) return
    timers.clearTimeout(heartbeat)
    heartbeat = undefined
  }

  /** Resets the connection of a client that does not read, which frees the kernel's buffer as well. */
  function drop(client: Client): void {
    dropped++
    leave(client)
    client.response.socket?.resetAndDestroy()
  }

  function finish(client: Client): void {
    leave(client)
    const { socket } = client.response
    if (socket === null) return
    socket.destroySoon()
    const resetting = timers.setTimeout(() => socket.resetAndDestroy(), LAST_BYTES_MS)
    socket.once('close', () => timers.clearTimeout(resetting))
  }

  /** Sends to the clients connected now. The first event of a later client includes these bytes. */
  function send(bytes: Buffer, to: readonly Client[]): void {
    waiting.push({ bytes, to })
    if (!isSending) void sendWaiting()
  }

  async function sendWaiting(): Promise<void> {
    isSending = true
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      for (const [index, client] of next.to.entries()) {
        if (index > 0 && index % CLIENTS_PER_TURN === 0) await nextTurn()
        if (!clients.has(client)) continue
        if (client.response.writableLength > MAX_BUFFERED_BYTES) drop(client)
        else client.response.write(next.bytes)
      }
    }
    isSending = false
  }

  /** Drops clients that are slow for the second time in a row, and sends a comment to the others. */
  function sendHeartbeats(): void {
    heartbeat = timers.setTimeout(sendHeartbeats, HEARTBEAT_MS)
    for (const client of clients) {
      const isBehind = client.response.writableLength > 0
      if (isBehind && client.wasBehind) drop(client)
      client.wasBehind = isBehind
    }
    send(HEARTBEAT, [...clients])
  }

  return {
    requireRoom(key) {
      const isFull = clients.size >= most
      const own = [...clients].filter(client => client.key === key)
      if (!isFull && own.length < mostOfClient) return
      refused++
      const detail = isFull
        ? 'Too many clients follow streams.'
        : `One client may follow ${mostOfClient} streams at once.`
      throw new Problem('OVERLOADED', detail, { retryAfterS: RETRY_AFTER_S })
    },
    follow(stream, key, response, first) {
      const ending = timers.setTimeout(() => finish(client), lifetimeMs)
      const client: Client = { key, stream, response, ending, wasBehind: false }
      const retryMs = RETRY_MS.least + Math.floor(Math.random() * (RETRY_MS.most - RETRY_MS.least))
      clients.add(client)
      response.once('close', () => leave(client))
      response.write(`retry: ${retryMs}\n`)
      response.write(first)
      heartbeat ??= timers.setTimeout(sendHeartbeats, HEARTBEAT_MS)
      if (hasEnded) finish(client)
    },
    send: (stream, event) =>
      send(
        event,
        [...clients].filter(client => client.stream === stream),
      ),
    end() {
      hasEnded = true
      for (const client of clients) finish(client)
    },
    figures: () => ({ connected: clients.size, dropped, refused }),
  }
}
