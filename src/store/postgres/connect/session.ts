import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type { Client } from 'pg'
import { messageOf } from '../../../values/system/error-code.ts'
import type { Registry, RegistryTables } from '../../registry/tables.ts'
import { readAddress, type Target } from './address.ts'
import { type Connections, connectAlone, readTarget } from './connections.ts'
import { type ToStoreError, toReadError, toStoreError } from './faults.ts'

/** The tables of a store over these connections, with errors mapped. */
export function registryOver(
  connections: Connections,
  target: Target,
  explain: ToStoreError = toStoreError,
): Registry {
  async function connect(): Promise<PostgresPoolClient> {
    const connection = await connections.connect().catch((error: unknown) => {
      throw explain(error, target)
    })
    const client = {
      release: connection.release,
      async query(text: string, values: readonly unknown[]) {
        try {
          return await connection.query(text, values)
        } catch (error) {
          // Hides an error of the rollback: the error that ended the transaction is the one to report.
          if (text === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] }
          throw explain(error, target)
        }
      },
    }
    // Kysely's type also requires cursors, which are not used.
    return client as unknown as PostgresPoolClient
  }
  const dialect = new PostgresDialect({ pool: { connect, end: async () => {} } })
  return new Kysely<RegistryTables>({ dialect }).withSchema(target.schema)
}

/** Presents a single connection as a source of connections. */
export const singleConnection = (client: Pick<Client, 'query'>): Connections => ({
  connect: async () => ({
    query: (text, values) => client.query(text, [...(values ?? [])]),
    release() {},
  }),
})

/** A connection for long work: its statements have no time limit. */
export interface Session {
  readonly client: Client
  readonly registry: Registry
  /** The same connection, for reading releases: a missing table or page means damage. */
  readonly content: Registry
  end(): Promise<void>
}

export async function openSession(target: Target): Promise<Session> {
  const client = await connectAlone(target).catch((error: unknown) => {
    throw toStoreError(error, target)
  })
  const connection = singleConnection(client)
  return {
    client,
    registry: registryOver(connection, target),
    content: registryOver(connection, target, toReadError),
    end: () => client.end().catch(() => undefined),
  }
}

/** Runs work over a separate connection, with errors mapped. */
export async function withSession<T>(target: Target, work: (session: Session) => Promise<T>): Promise<T> {
  const session = await openSession(target)
  try {
    return await work(session)
  } catch (error) {
    throw toStoreError(error, target)
  } finally {
    await session.end()
  }
}

/** The log position up to which a server has written or applied. */
const POSITION = 'case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end'

/** The server that releases are read from: how far it lags, or why it is unavailable. */
export type Reader = Awaited<ReturnType<typeof readerOf>>

/** Checks the server that releases are read from. */
export async function readerOf(address: string, readUrl: string) {
  const target = readAddress(address)
  const from = readTarget(target, readUrl)
  const { shown } = from
  // The primary's position is read first, because later writes of the primary are no lag.
  const written = await withSession(target, async ({ client }) => {
    const { rows } = await client.query<{ position: string | null }>(`select ${POSITION} as position`)
    return rows[0]?.position
  }).catch(() => undefined)
  try {
    return await withSession(from, async ({ client }) => {
      // The position is null if a server does not report it.
      const { rows } = await client.query<{ isStandby: boolean; bytes: number | null }>(
        `select pg_is_in_recovery() as "isStandby", pg_wal_lsn_diff($1::pg_lsn, ${POSITION}) as bytes`,
        [written],
      )
      const { isStandby = false, bytes = null } = rows[0] ?? {}
      /** How much of the primary's log it has not applied yet; undefined if unknown. */
      const bytesBehind = bytes === null ? undefined : Math.max(0, bytes)
      return { shown, isStandby, bytesBehind }
    })
  } catch (error) {
    return { shown, failure: messageOf(error) }
  }
}
