import { Client, type ClientBase, type Connection, Pool, type PoolClient, type QueryResult } from 'pg'
import { within } from '../../../values/promises.ts'
import { messageOf } from '../../../values/system/error-code.ts'
import { type DegradedComponent, StoreBusyError, StoreUnusableError } from '../../store.ts'
import { readAddress, type Target } from './address.ts'
import { endsConnection, isOutage, toStoreError } from './faults.ts'

/** What the driver's types leave out. */
declare module 'pg' {
  interface ClientBase {
    readonly connection: Connection
    /** The server's process. */
    readonly processID: number | null
  }
}

/** Acquires connections, one at a time. */
export interface Connections {
  connect(): Promise<AcquiredConnection>
}

export interface AcquiredConnection {
  query(text: string, values?: readonly unknown[]): Promise<Rows>
  /** Returns it; a broken one is closed. */
  release(): void
}

export type Rows = Pick<QueryResult, 'command' | 'rowCount' | 'rows'>

/** The server that an address leads to, whichever that is at the moment. */
export interface Server extends Connections {
  readonly target: Target
  /**
   * Acquires a connection within a bounded time, or throws why not; at once if the server was unavailable a moment ago. Its
   * statements have a time limit, which is that of requests unless it is for `long` work.
   */
  connect(options?: { long?: boolean }): Promise<ServerConnection>
  /** Since when and why it is unavailable; undefined while it is available, or before the first attempt. */
  unavailable(): Omit<DegradedComponent, 'part'> | undefined
  end(): Promise<void>
}

export interface ServerConnection extends AcquiredConnection {
  /** The same object as long as the connection is open. */
  readonly session: object
}

/** Connections for readings and for messages between instances, beside those for requests. */
const MOST_IN_BACKGROUND = 2
/** How long to wait for a connection while all are in use, and for a new one to open. */
const ACQUIRE_MS = 500
const OPENING_MS = 800
/** The client waits this much longer than the server's statement timeout. */
const SILENCE_MS = 200
/** Counting ten million rows takes some seconds. */
export const LONG_MS = 60_000
/** After a failure, requests fail at once for this long. */
const PAUSE_MS = 250
/** An unavailable server is asked this often, so that its return is noticed. */
const ASK_AGAIN_MS = 1000
/** Opening a connection takes long, so idle ones are kept for a while. */
const IDLE_MS = 60_000
/** How long closing waits for connections in use. */
const ENDING_MS = 1000

/**
 * Opens a pool of connections to the server of an address, as they are needed. `prepare` is awaited before each connection; it
 * throws while the server cannot be used.
 */
function openServer(target: Target, prepare: () => Promise<void> = async () => {}): Server {
  const { config, poolSize, statementMs, shown } = target
  const max = poolSize + MOST_IN_BACKGROUND
  // Prevents accidental writes: what writes starts a transaction for it.
  const options = `-c statement_timeout=${statementMs} -c default_transaction_read_only=on`
  const pool = new Pool({ ...config, options, max, idleTimeoutMillis: IDLE_MS })
  const clients = new Set<PoolClient>()
  // Without listeners, a lost connection would end the process; the pool opens another.
  pool.on('error', () => {})
  pool.on('connect', client => {
    clients.add(client)
    client.on('error', () => {})
  })
  pool.on('remove', client => void clients.delete(client))
  let outage: { readonly since: Date; readonly reason: unknown } | undefined
  let failedAt = Number.NEGATIVE_INFINITY

  /** Notes that the server is unavailable, if that is the reason of an error, and throws it. */
  function failed(error: unknown): never {
    if (isOutage(error)) {
      outage = { since: outage?.since ?? new Date(), reason: error }
      failedAt = performance.now()
    }
    throw error
  }

  /** Takes a connection of the pool. One that comes too late goes back. */
  async function acquire(): Promise<PoolClient> {
    const coming = pool.connect()
    const isFull = pool.waitingCount > 0
    const busy = () => new StoreBusyError(`all ${max} connections to ${shown} are in use: try again`)
    try {
      return await within(isFull ? ACQUIRE_MS : OPENING_MS, coming, isFull ? busy : silence)
    } catch (error) {
      coming.then(
        client => client.release(),
        () => {},
      )
      throw error
    }
  }

  /** A pool's client is released; another one is ended. */
  async function open(long: boolean): Promise<Client & Partial<Pick<PoolClient, 'release'>>> {
    await prepare()
    return long ? connectAlone(target) : acquire()
  }

  const connect: Server['connect'] = async ({ long = false } = {}) => {
    if (outage !== undefined && performance.now() - failedAt < PAUSE_MS) throw outage.reason
    const client = await open(long).catch(failed)
    const limitMs = long ? LONG_MS : statementMs + SILENCE_MS
    let isBroken = false
    return {
      session: client,
      async query(text, values = []) {
        try {
          const rows = takeRows(await within(limitMs, client.query(text, [...values]), silence))
          outage = undefined
          return rows
        } catch (error) {
          isBroken ||= endsConnection(error)
          // Another connection may still work after one that is lost.
          if (error instanceof SilenceError) failed(error)
          throw error
        }
      },
      release() {
        if (client.release === undefined) void client.end().catch(() => undefined)
        else client.release(isBroken)
      },
    }
  }

  const asking = setInterval(() => {
    if (outage === undefined) return
    connect()
      .then(({ query, release }) => query('select 1').finally(release))
      .catch(() => {})
  }, ASK_AGAIN_MS).unref()

  return {
    target,
    connect,
    unavailable() {
      if (outage === undefined) return undefined
      return { since: outage.since.toISOString(), detail: messageOf(toStoreError(outage.reason, target)) }
    },
    async end() {
      clearInterval(asking)
      const ended = pool.end().catch(() => undefined)
      await within(ENDING_MS, ended, silence).catch(() => undefined)
      for (const client of clients) cut(client)
    },
  }
}

/** The server answers nothing, or not in time. */
class SilenceError extends Error {
  override name = 'SilenceError'
}

export const silence = (): Error => new SilenceError('timeout: no reply in time')

/**
 * Takes the rows out of the driver's result. The garbage collector keeps the driver's results longer than the rows are
 * needed, which would add some 40 MB to a long stream.
 */
function takeRows(result: QueryResult): Rows {
  const { command, rowCount, rows } = result
  result.rows = []
  return { command, rowCount, rows }
}

/** Connects for long work: its statements have no time limit. The caller ends the connection. */
export async function connectAlone({ config }: Pick<Target, 'config'>): Promise<Client> {
  const client = new Client(config)
  // Without a listener, losing the connection would end the process; its next query fails.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

/** Cuts a connection in any state: its pending queries fail at once. */
export function cut(client: ClientBase): void {
  client.connection.stream.destroy()
}

/** The servers of a store. */
export interface Servers {
  /** Has all data, and is authoritative. */
  readonly primary: Server
  /** Follows the primary, and may lag; releases are read from it first. Undefined without `DATABASE_READ_URL`. */
  readonly reader: Server | undefined
}

/**
 * Returns the servers of a database and of its read address, not connected yet. `prepare` is awaited before each connection
 * to the primary.
 */
export function openServers(
  target: Target,
  readUrl: string | undefined,
  prepare?: () => Promise<void>,
): Servers {
  return {
    primary: openServer(target, prepare),
    reader: readUrl === undefined ? undefined : openServer(readTarget(target, readUrl)),
  }
}

/** The target of the read address, whose schema is by default that of the first. Throws {@link StoreUnusableError}. */
export function readTarget({ schema }: Target, readUrl: string): Target {
  const target = readAddress(readUrl, schema)
  if (target.schema !== schema)
    throw new StoreUnusableError(
      `reading is from the schema ${target.schema} and writing into ${schema}: name the same in both addresses`,
    )
  return target
}

/** The unavailable servers. */
export function degradedComponents({ primary, reader }: Servers): DegradedComponent[] {
  const parts = [['primary', primary] as const, ['reader', reader] as const]
  return parts.flatMap(([part, server]) => {
    const outage = server?.unavailable()
    return outage === undefined ? [] : [{ part, ...outage }]
  })
}
