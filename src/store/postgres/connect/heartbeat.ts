import { Client } from 'pg'
import type { Target } from './address.ts'
import { type Attempt, CONNECT_MS, checkRole, clientConfig, cut } from './client.ts'

/** A connection of its own for health checks, which distinguish an unavailable server from a slow query. */
export interface Heartbeat {
  /** Connects and checks that the server is usable. Throws why not. */
  open(): Promise<void>
  /** Runs the cheapest query. Throws where it fails; the caller sets the deadline. */
  check(): Promise<void>
  /** Cuts the connection, whatever state it is in. */
  close(): void
}

export interface HeartbeatOptions {
  /** Throws where the caller cannot use the server. */
  readonly check?: ((client: Client) => Promise<void>) | undefined
  /** Called when an open connection is lost. */
  readonly onLost: () => void
}

/** Creates the heartbeat of a server, not connected yet. */
export function createHeartbeat(
  target: Target,
  attempt: Attempt,
  { check, onLost }: HeartbeatOptions,
): Heartbeat {
  let client: Client | undefined
  let opening: Promise<void> | undefined
  let connecting: Client | undefined
  /** A connection that was cut on purpose must not be reopened by a check in flight. */
  let closings = 0

  async function connect(): Promise<void> {
    const made = new Client({ ...clientConfig(target, attempt), query_timeout: CONNECT_MS })
    // Without a listener, losing the connection would end the process.
    made.on('error', () => {})
    connecting = made
    try {
      await made.connect()
      await checkRole(made, attempt.role)
      await check?.(made)
      if (connecting !== made) throw new Error('Connection terminated')
    } catch (error) {
      cut(made)
      throw error
    } finally {
      if (connecting === made) connecting = undefined
    }
    client = made
    made.once('end', () => {
      if (client !== made) return
      client = undefined
      onLost()
    })
  }

  async function open(): Promise<void> {
    if (client !== undefined) return
    opening ??= connect().finally(() => {
      opening = undefined
    })
    await opening
  }

  return {
    open,
    async check() {
      const checked = client
      const closedBefore = closings
      if (checked === undefined) return open()
      try {
        await checked.query('select 1')
      } catch (error) {
        // An operator may have ended this connection alone, which says nothing of the server.
        if (client === checked || closings !== closedBefore) throw error
        await open()
      }
    },
    close() {
      closings += 1
      const last = [client, connecting]
      client = undefined
      connecting = undefined
      for (const one of last) if (one !== undefined) cut(one)
    },
  }
}
