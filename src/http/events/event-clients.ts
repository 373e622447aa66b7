import type { ServerResponse } from 'node:http'
import { Problem } from '../../errors.ts'
import { type Clock, systemClock } from '../../values/clock.ts'
import { type EventChannel, openChannel, retryLine } from './event-channel.ts'
import { findUnreachablePeers } from './unreachable-peers.ts'

/** The clients of all event streams of an app: their limit, heartbeats and disconnection. */
export interface EventClients {
  /** Opens a channel that clients can follow. */
  openChannel(): EventChannel
  /** Throws the problem OVERLOADED at the limit of streams, of all clients or of this one. */
  requireRoom(client: string): void
  /** Subscribes a client to a channel; it gets `first` before any event. The response head must have been written. */
  follow(channel: EventChannel, client: string, response: ServerResponse, first: Buffer): void
  /** Ends every stream, so that clients reconnect elsewhere; a later client gets its first event, then the end. */
  end(): void
  /** Returns the present counts. */
  figures(): EventFigures
}

export interface EventFigures {
  /** Connected clients. */
  readonly connected: number
  /** Clients dropped so far because they were too slow, or gone without closing their connection. */
  readonly dropped: number
  /** Clients refused so far because of the limit. */
  readonly refused: number
}

/** The timers of heartbeats; tests replace them. */
export type Timers = Pick<Clock, 'setTimeout' | 'clearTimeout'>

export interface EventClientsOptions {
  /** The limit of connected clients. */
  readonly most?: number
  readonly timers?: Timers
}

/** Proxies close connections that are idle for a minute, some for half a minute. */
const HEARTBEAT_MS = 15_000

/** Each client gets a random reconnection delay in this range, so that they do not all reconnect at once. */
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
export function createEventClients(options: EventClientsOptions = {}): EventClients {
  const { most = 1000, timers = systemTimers } = options
  const channels: EventChannel[] = []
  const mostOfClient = Math.ceil(most * SHARE_OF_CLIENT)
  const streamsOf = new Map<string, number>()
  const figures = { connected: 0, dropped: 0, refused: 0 }
  let hasEnded = false
  let heartbeat: unknown

  function left(client: string, wasDropped: boolean): void {
    const others = (streamsOf.get(client) ?? 1) - 1
    if (others === 0) streamsOf.delete(client)
    else streamsOf.set(client, others)
    figures.connected--
    if (wasDropped) figures.dropped++
    if (figures.connected > 0) return
    timers.clearTimeout(heartbeat)
    heartbeat = undefined
  }

  async function sendHeartbeats(): Promise<void> {
    heartbeat = timers.setTimeout(sendHeartbeats, HEARTBEAT_MS)
    const unreachable = await findUnreachablePeers()
    for (const channel of channels) channel.heartbeat(unreachable)
  }

  function finish({ socket }: ServerResponse): void {
    if (socket === null) return
    socket.destroySoon()
    const resetting = timers.setTimeout(() => socket.resetAndDestroy(), LAST_BYTES_MS)
    socket.once('close', () => timers.clearTimeout(resetting))
  }

  return {
    openChannel() {
      const channel = openChannel(left)
      channels.push(channel)
      return channel
    },
    requireRoom(client) {
      const isFull = figures.connected >= most
      if (!isFull && (streamsOf.get(client) ?? 0) < mostOfClient) return
      figures.refused++
      const detail = isFull
        ? 'Too many clients follow streams.'
        : `One client may follow ${mostOfClient} streams at once.`
      throw new Problem('OVERLOADED', detail, { headers: { 'retry-after': String(RETRY_AFTER_S) } })
    },
    follow(channel, client, response, first) {
      response.write(retryLine(RETRY_MS.least + Math.floor(Math.random() * (RETRY_MS.most - RETRY_MS.least))))
      figures.connected++
      streamsOf.set(client, (streamsOf.get(client) ?? 0) + 1)
      channel.join(client, response, first)
      heartbeat ??= timers.setTimeout(sendHeartbeats, HEARTBEAT_MS)
      if (hasEnded) channel.dismiss().forEach(finish)
    },
    end() {
      hasEnded = true
      for (const channel of channels) channel.dismiss().forEach(finish)
    },
    figures: () => ({ ...figures }),
  }
}
