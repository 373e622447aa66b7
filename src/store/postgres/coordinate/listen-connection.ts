import type { Client } from 'pg'
import { createRetry } from '../../../values/retry.ts'
import type { Target } from '../connect/address.ts'
import { connectAlone, cut, processOf } from '../connect/connections.ts'

/** A connection that listens on a channel, and reconnects whenever it is lost. */
export interface ListenConnection {
  /** Whether messages arrive now. */
  isConnected(): boolean
  close(): void
}

export interface ListenOptions {
  readonly channel: string
  /** Called with each message. */
  readonly onMessage: (message: string) => void
  /** Called at each connect and reconnect: messages sent in between are lost. */
  readonly onConnected: () => void
}

/** How often the connection is checked, and how long the answer may take. */
const CHECK_EVERY_MS = 2000
const SILENCE_MS = 1500
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 1000
/** A pooler rarely goes away, and each attempt uses one of its connections. */
const POOLER_RETRY_MS = 60_000
/** The server ends a session that is silent for this long: its machine is gone or its process is stopped. */
const IDLE = '30s'

/** Listens on a channel of the primary. Never fails: it reconnects silently, with back-off. */
export function openListenConnection(
  target: Target,
  { channel, onMessage, onConnected }: ListenOptions,
): ListenConnection {
  const closing = new AbortController()
  const retry = createRetry({
    attempt: connect,
    firstMs: FIRST_RETRY_MS,
    longestMs: LONGEST_RETRY_MS,
    longestAfter: error => (error instanceof PoolerError ? POOLER_RETRY_MS : LONGEST_RETRY_MS),
    signal: closing.signal,
  })
  let client: Client | undefined
  void retry.now()

  async function connect(): Promise<void> {
    const made = await connectAlone({ config: { ...target.config, query_timeout: SILENCE_MS } })
    try {
      await requireSession(made)
      await made.query(
        `select set_config(name, $1, false) from pg_catalog.pg_settings where name = 'idle_session_timeout'`,
        [IDLE],
      )
      made.on('notification', ({ payload = '' }) => onMessage(payload))
      await made.query(`listen "${channel}"`)
      closing.signal.throwIfAborted()
    } catch (error) {
      cut(made)
      throw error
    }
    client = made
    const checking = setInterval(() => void made.query('select 1').catch(() => cut(made)), CHECK_EVERY_MS)
    checking.unref()
    made.once('end', () => {
      clearInterval(checking)
      client = undefined
      retry.later()
    })
    onConnected()
  }

  return {
    isConnected: () => client !== undefined,
    close() {
      closing.abort()
      if (client !== undefined) cut(client)
    },
  }
}

/** A pooler in transaction mode is in between. */
class PoolerError extends Error {
  override name = 'PoolerError'
}

/** A pooler has a process number of its own, and may deliver notifications to another client. */
async function requireSession(client: Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  if (rows[0]?.pid !== processOf(client))
    throw new PoolerError('LISTEN does not work through a pooler in transaction mode')
}
