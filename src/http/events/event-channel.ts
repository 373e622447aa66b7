import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { connectionName } from './unreachable-peers.ts'

/** The media type of event streams (HTML living standard 9.2). */
export const EVENT_STREAM = 'text/event-stream'

/** The bytes of one event. `data` is text without line breaks, as JSON is. */
export function eventBytes(name: string, id: string, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`event: ${name}\nid: ${id}\ndata: `), data, Buffer.from('\n\n')])
}

/** The bytes of a comment, which clients ignore. */
export const commentBytes = (text: string): Buffer => Buffer.from(`: ${text}\n\n`)

/** The line that sets a client's reconnection delay. */
export const retryLine = (ms: number): string => `retry: ${ms}\n`

/** The clients of one stream. */
export interface EventChannel {
  /** Subscribes a client by its key: sends it `first`, then every event. The response head must have been written. */
  join(client: string, response: ServerResponse, first: Buffer): void
  /** Sends an event to all current clients. They share the Buffer, so it must not be modified afterwards. */
  send(event: Buffer): void
  /**
   * Sends a comment to all clients, so that proxies keep idle connections open, and drops those that are slow or, by the
   * names of their connections, unreachable for the second time in a row.
   */
  heartbeat(unreachable: ReadonlySet<string>): void
  /** Removes all clients and returns their responses, for the caller to end. */
  dismiss(): readonly ServerResponse[]
}

interface Client {
  readonly key: string
  readonly response: ServerResponse
  /** Whether bytes were still buffered at the last heartbeat, or the client unreachable. */
  wasBehind: boolean
}

const HEARTBEAT = commentBytes('still here')

/** Besides the kernel's buffer. A client that is this far behind should reconnect and start from a new snapshot. */
const MAX_BUFFERED_BYTES = 65_536

/** Clients written to in one turn of the event loop, which takes a millisecond or two. */
const CLIENTS_PER_TURN = 100

/** Opens a channel without clients. `onLeft` is called for each client that disconnects or is dropped. */
export function openChannel(onLeft: (client: string, wasDropped: boolean) => void): EventChannel {
  const clients = new Set<Client>()
  const waiting: { readonly bytes: Buffer; readonly to: readonly Client[] }[] = []
  let isSending = false

  function leave(client: Client, wasDropped = false): void {
    if (clients.delete(client)) onLeft(client.key, wasDropped)
  }

  /** Resets the connection of a client that does not read or is gone, which frees the kernel's buffer as well. */
  function drop(client: Client): void {
    leave(client, true)
    client.response.socket?.resetAndDestroy()
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

  /** Sends to current clients only: the snapshot of a client that joins later includes this event. */
  function send(bytes: Buffer): void {
    waiting.push({ bytes, to: [...clients] })
    if (!isSending) void sendWaiting()
  }

  return {
    send,
    join(key, response, first) {
      const client = { key, response, wasBehind: false }
      clients.add(client)
      response.once('close', () => leave(client))
      response.write(first)
    },
    heartbeat(unreachable) {
      for (const client of clients) {
        const { writableLength, socket } = client.response
        const isBehind = writableLength > 0 || (socket !== null && unreachable.has(connectionName(socket)))
        if (isBehind && client.wasBehind) drop(client)
        client.wasBehind = isBehind
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
