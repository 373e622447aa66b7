import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { commentBytes } from './event-text.ts'

/** The clients of one stream. */
export interface EventChannel {
  /** Sends a client its first bytes, and from then on every event. The answer's head must have been written. */
  join(response: ServerResponse, first: Buffer): void
  /** Sends an event to everyone who is here now: one Buffer for all, which must not be written to any more. */
  send(event: Buffer): void
  /** Sends everyone a comment, which keeps proxies from closing what is silent, and cuts who does not keep up. */
  beat(): void
  /** Lets everyone go, and gives their answers to be ended. */
  dismiss(): readonly ServerResponse[]
}

interface Client {
  readonly response: ServerResponse
  /** Whether something waited for it at the last beat. */
  waited: boolean
}

const HEARTBEAT = commentBytes('still here')

/** Beyond what the kernel takes. Who has so much to read yet is better off with a new snapshot. */
const MOST_WAITING_BYTES = 65_536

/** So many are written to before others get their turn: it takes a millisecond or two. */
const CLIENTS_A_TURN = 100

/** Opens a channel. `onLeft` is called with each client that is gone, whether by itself or because it was cut. */
export function openChannel(onLeft: (wasCut: boolean) => void): EventChannel {
  const clients = new Set<Client>()
  const waiting: { readonly bytes: Buffer; readonly to: readonly Client[] }[] = []
  let isSending = false

  function leave(client: Client, wasCut = false): void {
    if (clients.delete(client)) onLeft(wasCut)
  }

  /** Nothing is kept for who does not read: a reset frees what the kernel holds as well. */
  function cut(client: Client): void {
    leave(client, true)
    client.response.socket?.resetAndDestroy()
  }

  async function sendWaiting(): Promise<void> {
    isSending = true
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      for (const [place, client] of next.to.entries()) {
        if (place > 0 && place % CLIENTS_A_TURN === 0) await nextTurn()
        if (!clients.has(client)) continue
        if (client.response.writableLength > MOST_WAITING_BYTES) cut(client)
        else client.response.write(next.bytes)
      }
    }
    isSending = false
  }

  /** Who comes later has begun with what this event tells, and must not get it after that. */
  function send(bytes: Buffer): void {
    waiting.push({ bytes, to: [...clients] })
    if (!isSending) void sendWaiting()
  }

  return {
    send,
    join(response, first) {
      const client = { response, waited: false }
      clients.add(client)
      response.once('close', () => leave(client))
      response.write(first)
    },
    beat() {
      for (const client of clients) {
        const waits = client.response.writableLength > 0
        if (waits && client.waited) cut(client)
        client.waited = waits
      }
      send(HEARTBEAT)
    },
    dismiss() {
      const responses = [...clients].map(({ response }) => response)
      for (const client of [...clients]) leave(client)
      return responses
    },
  }
}
