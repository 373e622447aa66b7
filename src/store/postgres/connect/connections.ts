import { Client, type ClientBase, type Connection, Pool, type PoolClient, type QueryResult } from 'pg'
import { within } from '../../../values/promises.ts'
import { messageOf } from '../../../values/system/error-code.ts'
import { type DegradedComponent, StoreBusyError, StoreUnusableError } from '../../store.ts'
import { readAddress, type Target } from './address.ts'
import { endsConnection, isOutage, toStoreError } from './faults.ts'

/** Members that the driver's types lack. */
declare module 'pg' {
  interface ClientBase {
    readonly connection: Connection
    /** The server's process. */
    readonly processID: number | null
  }
}

/** Acquires connections, one at a time. */
export interface Connections {
  connect(): Promise<{
    query(text: string, values?: readonly unknown[]): Promise<Rows>
    /** Returns the connection, or closes a broken one. */
    release(): void
  }>
}

export type Rows = Pick<QueryResult, 'command' | 'rowCount' | 'rows'>

/** The server that an address leads to at the moment. */
export type Server = ReturnType<typeof openServer>

/** Additional connections, for readings and for messages between instances. */
const MOST_IN_BACKGROUND = 2
/** How long to wait for a free connection of a full pool, and for a new connection to open. */
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
 * Creates a pool that opens connections to a server on demand. `prepare` is awaited before each connection; it throws while
 * the server cannot be used.
 */
function openServer(target: Target, prepare: () => Promise<void> = async () => {}) {
  const { config, poolSize, statementMs, shown } = target
  const max = poolSize + MOST_IN_BACKGROUND
  // Prevents accidental writes: a write needs a transaction with write access.
  const options = `-c statement_timeout=${statementMs} -c default_transaction_read_only=on`
  const pool = new Pool({ ...config, options, max, idleTimeoutMillis: IDLE_MS })
  const clients = new Set<PoolClient>()
  // Without listeners, a lost connection would end the process. The pool opens a new one.
  pool.on('error', () => {})
  pool.on('connect', client => {
    clients.add(client)
    client.on('error', () => {})
  })
  pool.on('remove', client => void clients.delete(client))
  let outage: { readonly since: Date; readonly reason: unknown } | undefined
  let failedAt = Number.NEGATIVE_INFINITY

  /** Rethrows an error, and notes if it says that the server is unavailable. */
  function failed(error: unknown): never {
    if (isOutage(error)) {
      outage = { since: outage?.since ?? new Date(), reason: error }
      failedAt = performance.now()
    }
    throw error
  }

  /** Takes a connection from the pool. A connection that arrives too late goes back. */
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

  /** Opens a client. Clients of the pool have `release`; others must be ended. */
  async function open(long: boolean): Promise<Client & Partial<Pick<PoolClient, 'release'>>> {
    await prepare()
    return long ? connectAlone(target) : acquire()
  }

  /**
   * Acquires a connection within a bounded time. Throws immediately if the server was unavailable a moment ago. Statements
   * have the time limit of requests, or a longer one for `long` work.
   */
  async function connect({ long = false } = {}) {
    if (outage !== undefined && performance.now() - failedAt < PAUSE_MS) throw outage.reason
    const client = await open(long).catch(failed)
    const limitMs = long ? LONG_MS : statementMs + SILENCE_MS
    let isBroken = false
    return {
      /** The same object as long as the connection is open. */
      session: client as object,
      async query(text: string, values: readonly unknown[] = []): Promise<Rows> {
        try {
          const rows = takeRows(await within(limitMs, client.query(text, [...values]), silence))
          outage = undefined
          return rows
        } catch (error) {
          isBroken ||= endsConnection(error)
          // A lost connection is no outage: another connection may still work.
          if (error instanceof SilenceError) failed(error)
          throw error
        }
      },
      release(): void {
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
    /** Since when and why the server is unavailable; undefined while it is available, or before the first attempt. */
    unavailable(): Omit<DegradedComponent, 'part'> | undefined {
      if (outage === undefined) return undefined
      return { since: outage.since.toISOString(), detail: messageOf(toStoreError(outage.reason, target)) }
    },
    async end(): Promise<void> {
      clearInterval(asking)
      const ended = pool.end().catch(() => undefined)
      await within(ENDING_MS, ended, silence).catch(() => undefined)
      for (const client of clients) cut(client)
    },
  }
}

/** The server does not answer in time. */
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
 * Returns the servers of a database and of its read address, without connecting. `prepare` is awaited before each connection
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

/** The target of the read address. Throws {@link StoreUnusableError} if its schema differs from the first target's. */
export function readTarget({ schema }: Target, readUrl: string): Target {
  const target = readAddress(readUrl, schema)
  if (target.schema !== schema)
    throw new StoreUnusableError(
      `reads use the schema ${target.schema} and writes use ${schema}: name the same schema in both addresses`,
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
