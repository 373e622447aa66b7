import type { ServerResponse } from 'node:http'
import { Problem } from '../../errors.ts'
import { type EventChannel, openChannel } from './event-channel.ts'
import { retryLine } from './event-text.ts'

/** The clients of all event streams of an app: how many there may be, what keeps them, and what ends them. */
export interface EventClients {
  /** Opens a stream that any number of clients may follow. */
  openChannel(): EventChannel
  /** Throws the problem OVERLOADED where there are as many clients as may be. */
  requireRoom(): void
  /** Has a client follow a channel, `first` being the first that it gets. The answer's head must have been written. */
  follow(channel: EventChannel, response: ServerResponse, first: Buffer): void
  /** Ends every stream, so that clients connect anew elsewhere; who still comes gets the first event and the end. */
  end(): void
  figures(): EventFigures
}

export interface EventFigures {
  /** Clients that follow a stream now. */
  readonly connected: number
  /** Clients so far that were cut because they did not keep up. */
  readonly dropped: number
  /** Clients so far that were turned away because there were as many as may be. */
  readonly refused: number
}

/** Where heartbeats take their time from; a test gives its own. */
export interface Timers {
  setTimeout(callback: () => void, milliseconds: number): unknown
  clearTimeout(handle: unknown): void
}

export interface EventClientsOptions {
  /** The most clients at once. */
  readonly most?: number
  readonly timers?: Timers
}

/** Proxies close what is silent for a minute, some for half of one. */
const HEARTBEAT_MS = 15_000

/** Each client waits another time within these before it connects anew, so that not all come at the same moment. */
const RETRY_MS = { least: 3000, most: 6000 }

/** How long the last bytes may take. */
const LAST_BYTES_MS = 1000

/** What a client that is turned away does well to wait, in seconds. */
const RETRY_AFTER_S = 30

const machineTimers: Timers = {
  // What keeps the process is its connections.
  setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds).unref(),
  clearTimeout: handle => clearTimeout(handle as NodeJS.Timeout),
}

/** Starts without clients. */
export function createEventClients(options: EventClientsOptions = {}): EventClients {
  const { most = 1000, timers = machineTimers } = options
  const channels: EventChannel[] = []
  const figures = { connected: 0, dropped: 0, refused: 0 }
  let hasEnded = false
  let heartbeat: unknown

  function left(wasCut: boolean): void {
    figures.connected--
    if (wasCut) figures.dropped++
    if (figures.connected > 0) return
    timers.clearTimeout(heartbeat)
    heartbeat = undefined
  }

  function beat(): void {
    heartbeat = timers.setTimeout(beat, HEARTBEAT_MS)
    for (const channel of channels) channel.beat()
  }

  function finish({ socket }: ServerResponse): void {
    if (socket === null) return
    socket.destroySoon()
    const cutting = timers.setTimeout(() => socket.resetAndDestroy(), LAST_BYTES_MS)
    socket.once('close', () => timers.clearTimeout(cutting))
  }

  return {
    openChannel() {
      const channel = openChannel(left)
      channels.push(channel)
      return channel
    },
    requireRoom() {
      if (figures.connected < most) return
      figures.refused++
      throw new Problem('OVERLOADED', 'As many clients follow streams as may be.', {
        headers: { 'retry-after': String(RETRY_AFTER_S) },
      })
    },
    follow(channel, response, first) {
      response.write(retryLine(RETRY_MS.least + Math.floor(Math.random() * (RETRY_MS.most - RETRY_MS.least))))
      figures.connected++
      channel.join(response, first)
      heartbeat ??= timers.setTimeout(beat, HEARTBEAT_MS)
      if (hasEnded) channel.dismiss().forEach(finish)
    },
    end() {
      hasEnded = true
      for (const channel of channels) channel.dismiss().forEach(finish)
    },
    figures: () => ({ ...figures }),
  }
}
