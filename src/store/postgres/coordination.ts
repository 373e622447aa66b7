import { createHash, randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Client } from 'pg'
import { createRetry } from '../../values/retry.ts'
import type { Coordination, LeaseStatus, Message, Topic } from '../coordination.ts'
import type { Registry } from '../registry/tables.ts'
import type { Target } from './connect/address.ts'
import { connectAlone, cut } from './connect/connections.ts'
import { writing } from './registry.ts'

/**
 * Coordinates the instances that share a schema. Notifications use one dedicated LISTEN connection, opened for the
 * first subscriber. Everything else uses the primary, because standbys lag. A lease is a row with its holder and its expiry by
 * the server's clock. It needs no session, and also expires if its holder is stopped or cut off.
 */
export function openCoordination(target: Target, registry: Registry): Coordination & { close(): void } {
  const holder = randomUUID()
  const { schema } = target
  const leases = sql.id(schema, 'leases')
  const channel = channelOf(schema)
  const listeners = new Set<(about: Topic) => void>()
  let listening: ReturnType<typeof openListenConnection> | undefined

  const notify = (about: Topic) => {
    for (const listener of listeners) listener(about)
  }

  /** Runs a statement in a writing transaction, so that a standby, which may lag, refuses it. */
  async function only<Row>(statement: RawBuilder<Row>): Promise<Row | undefined> {
    const { rows } = await writing(registry).execute(transaction => statement.execute(transaction))
    return rows[0]
  }

  async function standing(statement: RawBuilder<LeaseStatus>): Promise<LeaseStatus> {
    return (await only(statement)) ?? { leading: false, led: false, number: 0 }
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      listening ??= openListenConnection(target, channel, notify)
      return () => void listeners.delete(listener)
    },
    isConnected: () => listening?.isConnected() === true,
    leaseStatus: lease =>
      standing(sql`
        select holder = ${holder} and until > clock_timestamp() as leading, until > clock_timestamp() as led, number
        from ${leases} where name = ${lease}`),
    acquireLease: (lease, forMs) =>
      standing(sql`
        with taken as (
          update ${leases}
          set holder = ${holder}, until = clock_timestamp() + ${forMs}::float8 * interval '1 millisecond'
          where name = ${lease} and (holder = ${holder} or until <= clock_timestamp())
          returning 1 as one
        )
        select
          exists (select one from taken) as leading,
          until > clock_timestamp() or exists (select one from taken) as led,
          number
        from ${leases} where name = ${lease}`),
    async releaseLease(lease) {
      await only(sql`
        update ${leases} set holder = null, until = '-infinity'
        where name = ${lease} and holder = ${holder}
        returning pg_notify(${channel}, 'live')`)
    },
    async publish(text) {
      const published = await only(sql<{ number: number }>`
        update ${leases} set message = ${text}, published_at = clock_timestamp(), number = number + 1
        where name = 'feed' and holder = ${holder} and until > clock_timestamp()
        returning number, pg_notify(${channel}, 'live')`)
      return published?.number
    },
    latestMessage: () =>
      only(sql<Message>`
        select message as text, number, extract(epoch from clock_timestamp() - published_at)::float8 * 1000 as "ageMs"
        from ${leases} where name = 'feed' and message is not null`),
    close() {
      listeners.clear()
      listening?.close()
    },
  }
}

/** The channel for notifications to the instances of a schema. */
const channelOf = (schema: string): string => `pds_${schema}`

/** Notifies all instances once the transaction is committed. */
export async function notify(transaction: Registry, schema: string, about: Topic): Promise<void> {
  await sql`select pg_notify(${channelOf(schema)}, ${about})`.execute(transaction)
}

/** The interval of connection checks, and the time limit for the answer. */
const CHECK_EVERY_MS = 2000
const SILENCE_MS = 1500
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 1000
/** A pooler rarely goes away, and each attempt uses one of the pooler's connections. */
const POOLER_RETRY_MS = 60_000
/** The server ends a session that is silent for this long: the client's machine is gone or its process is stopped. */
const IDLE = '30s'

/**
 * Listens on a channel of the primary over a dedicated connection. Never fails: it reconnects silently, with back-off. Notifies
 * of everything after each connection, because messages sent before are lost.
 */
function openListenConnection(target: Target, channel: string, notify: (about: Topic) => void) {
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
      made.on('notification', ({ payload }) => notify(payload === 'releases' ? 'releases' : 'live'))
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
    notify('releases')
    notify('live')
  }

  return {
    /** Whether messages arrive now. */
    isConnected: () => client !== undefined,
    close() {
      closing.abort()
      if (client !== undefined) cut(client)
    },
  }
}

/** There is a pooler in transaction mode between client and server. */
class PoolerError extends Error {
  override name = 'PoolerError'
}

/** Throws if there is a pooler, which has its own process number: it may deliver notifications to another client. */
async function requireSession(client: Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  if (rows[0]?.pid !== client.processID)
    throw new PoolerError('LISTEN does not work through a pooler in transaction mode')
}

/** The kinds of advisory locks. Each kind is a separate key space in the database. */
export const MIGRATING = 0x50_44_53_01
export const RELEASES = 0x50_44_53_02
export const READINGS = 0x50_44_53_03

/** The key of an advisory lock: its kind, and a hash of the schema's name. */
export const lockKey = (kind: number, schema: string) =>
  sql`${kind}::integer, ${createHash('sha256').update(schema).digest().readInt32BE()}::integer`

/** Acquires a lock until the end of the transaction. */
export async function lockIn(transaction: Registry, kind: number, schema: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey(kind, schema)})`.execute(transaction)
}
