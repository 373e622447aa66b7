import { Client } from 'pg'
import type { Target } from './address.ts'
import { CONNECT_MS, clientConfig, cut } from './client.ts'
import { type Attempt, checkRole } from './session-role.ts'

/** A connection that is there to tell a server that is away from a question that takes long. */
export interface Pulse {
  /** Connects, and makes sure that the server will do. Throws why not. */
  open(): Promise<void>
  /** Asks the least that can be asked. Throws where that fails; how long it may take is for the caller to say. */
  beat(): Promise<void>
  /** Cuts the connection, whatever it is about. */
  close(): void
}

export interface PulseOptions {
  /** Throws where a server will not do for a reason of the caller's. */
  readonly check?: ((client: Client) => Promise<void>) | undefined
  /** Called when an open connection is lost. */
  readonly onLost: () => void
}

/** Makes the pulse of a server, not connected yet. */
export function makePulse(target: Target, attempt: Attempt, { check, onLost }: PulseOptions): Pulse {
  let client: Client | undefined
  let opening: Promise<void> | undefined
  let connecting: Client | undefined
  /** What is cut on purpose is not to be opened again by whoever asked over it. */
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
    async beat() {
      const asked = client
      const closedBefore = closings
      if (asked === undefined) return open()
      try {
        await asked.query('select 1')
      } catch (error) {
        // An operator may have ended this connection alone, which says nothing of the server.
        if (client === asked || closings !== closedBefore) throw error
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
