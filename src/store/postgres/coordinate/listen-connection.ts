import { Client } from 'pg'
import type { Target } from '../connect/address.ts'
import { clientConfig, cut } from '../connect/client.ts'
import { attempts, checkRole } from '../connect/session-role.ts'

/** A connection over which a channel is heard; it is made anew whenever it is lost. */
export interface Line {
  /** Whether what is told on the channel comes now. */
  isUp(): boolean
  close(): Promise<void>
}

export interface LineOptions {
  readonly channel: string
  /** Called with each message. */
  readonly onMessage: (message: string) => void
  /** Called whenever the line is there, the first time and again: what was told in between is lost. */
  readonly onUp: () => void
}

/** How often the server is asked whether it is there, and how long it may take. */
const ASK_EVERY_MS = 2000
const SILENCE_MS = 1500
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 1000
/** A pooler stays one, and asking it costs one of its connections. */
const POOLER_RETRY_MS = 60_000
/** A session of ours that is silent for so long is that of a machine that is gone, or of a process that is stopped. */
const IDLE = '30s'

/** Holds a line to the primary. It never fails: where no line is to be had it is tried again, silently. */
export function holdLine(target: Target, { channel, onMessage, onUp }: LineOptions): Line {
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let retryMs = FIRST_RETRY_MS
  let closed = false
  void connect()

  async function connect(): Promise<void> {
    try {
      const made = await openLine(target, channel, onMessage)
      if (closed) return cut(made)
      client = made
      made.once('end', () => lose(made))
      later(ASK_EVERY_MS, () => void ask(made))
      onUp()
    } catch (error) {
      if (!closed) reconnect(error instanceof PoolerError ? POOLER_RETRY_MS : retryMs)
    }
  }

  function later(milliseconds: number, work: () => void): void {
    timer = setTimeout(work, milliseconds)
    timer.unref()
  }

  function reconnect(afterMs: number): void {
    retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)
    later(afterMs, () => void connect())
  }

  function lose(lost: Client): void {
    if (client !== lost) return
    client = undefined
    clearTimeout(timer)
    cut(lost)
    if (!closed) reconnect(retryMs)
  }

  async function ask(asked: Client): Promise<void> {
    try {
      await checkRole(asked, 'primary')
      retryMs = FIRST_RETRY_MS
      if (client === asked) later(ASK_EVERY_MS, () => void ask(asked))
    } catch {
      lose(asked)
    }
  }

  return {
    isUp: () => client !== undefined,
    async close() {
      closed = true
      clearTimeout(timer)
      const last = client
      client = undefined
      if (last !== undefined) await endPolitely(last)
    },
  }
}

/** Takes leave of the server, for a moment at most. */
async function endPolitely(client: Client): Promise<void> {
  const timer = setTimeout(() => cut(client), SILENCE_MS)
  await client.end().catch(() => undefined)
  clearTimeout(timer)
}

/** Connects to the first of the hosts that is a primary: a standby hears of nothing. */
async function openLine(
  target: Target,
  channel: string,
  onMessage: (message: string) => void,
): Promise<Client> {
  let failure: unknown
  for (const attempt of attempts({ hosts: target.hosts, attributes: 'primary' })) {
    const client = new Client({ ...clientConfig(target, attempt), query_timeout: SILENCE_MS })
    client.on('error', () => {})
    client.on('notification', ({ payload = '' }) => onMessage(payload))
    try {
      await client.connect()
      await checkRole(client, attempt.role)
      await requireSession(client)
      await client.query(
        `select set_config(name, $1, false) from pg_catalog.pg_settings where name = 'idle_session_timeout'`,
        [IDLE],
      )
      await client.query(`listen "${channel}"`)
      return client
    } catch (error) {
      failure ??= error
      cut(client)
    }
  }
  throw failure
}

/** What stands in between and lends connections from statement to statement. */
class PoolerError extends Error {
  override name = 'PoolerError'
}

/** A pooler has a number of its own for the session, and may give what is heard to another client. */
async function requireSession(client: Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const own = (client as Client & { readonly processID: number | null }).processID
  if (rows[0]?.pid !== own) throw new PoolerError('LISTEN is not to be had over a pooler')
}
