import { Client } from 'pg'
import { createRetry } from '../../../values/retry.ts'
import type { Target } from '../connect/address.ts'
import { cut } from '../connect/connections.ts'

/** A connection that listens on a channel, and reconnects whenever it is lost. */
export interface ListenConnection {
  /** Whether messages arrive now. */
  isConnected(): boolean
  close(): Promise<void>
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
  let timer: NodeJS.Timeout | undefined
  void retry.now()

  async function connect(): Promise<void> {
    const made = await connectAndListen(target, channel, onMessage)
    if (closing.signal.aborted) return cut(made)
    client = made
    made.once('end', () => disconnected(made))
    checkLater(made)
    onConnected()
  }

  function checkLater(checked: Client): void {
    timer = setTimeout(() => {
      checked.query('select 1').then(
        () => client === checked && checkLater(checked),
        () => disconnected(checked),
      )
    }, CHECK_EVERY_MS)
    timer.unref()
  }

  function disconnected(lost: Client): void {
    if (client !== lost) return
    client = undefined
    clearTimeout(timer)
    cut(lost)
    retry.later()
  }

  return {
    isConnected: () => client !== undefined,
    async close() {
      closing.abort()
      clearTimeout(timer)
      const last = client
      client = undefined
      if (last !== undefined) await endGracefully(last)
    },
  }
}

/** Ends the session, and cuts the connection where that takes long. */
async function endGracefully(client: Client): Promise<void> {
  const timer = setTimeout(() => cut(client), SILENCE_MS)
  await client.end().catch(() => undefined)
  clearTimeout(timer)
}

async function connectAndListen(
  { config }: Target,
  channel: string,
  onMessage: (message: string) => void,
): Promise<Client> {
  const client = new Client({ ...config, query_timeout: SILENCE_MS })
  client.on('error', () => {})
  client.on('notification', ({ payload = '' }) => onMessage(payload))
  try {
    await client.connect()
    await requireSession(client)
    await client.query(
      `select set_config(name, $1, false) from pg_catalog.pg_settings where name = 'idle_session_timeout'`,
      [IDLE],
    )
    await client.query(`listen "${channel}"`)
    return client
  } catch (error) {
    cut(client)
    throw error
  }
}

/** A pooler in transaction mode is in between. */
class PoolerError extends Error {
  override name = 'PoolerError'
}

/** A pooler has a process number of its own, and may deliver notifications to another client. */
async function requireSession(client: Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const own = (client as Client & { readonly processID: number | null }).processID
  if (rows[0]?.pid !== own) throw new PoolerError('LISTEN does not work through a pooler in transaction mode')
}
