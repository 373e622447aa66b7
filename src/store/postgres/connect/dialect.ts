import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type { Client } from 'pg'
import type { AcquiredConnection, Connections } from './connections.ts'
import type { ToStoreError } from './faults.ts'

/** Gives Kysely these connections, with errors mapped. Destroying the Kysely leaves them open. */
export function kyselyOver<Tables>(connections: Connections, explain: ToStoreError): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        async connect() {
          try {
            return adapted(await connections.connect(), explain)
          } catch (error) {
            throw explain(error)
          }
        },
        end: async () => {},
      },
    }),
  })
}

/** Presents a single connection as a source of connections. */
export const singleConnection = (client: Pick<Client, 'query'>): Connections => ({
  connect: async () => ({
    query: (text, values) => client.query(text, values as unknown[]),
    release() {},
  }),
})

function adapted(client: AcquiredConnection, explain: ToStoreError): PostgresPoolClient {
  let isBroken = false
  const adapter = {
    async query(text: string, values: readonly unknown[]) {
      try {
        return await client.query(text, [...values])
      } catch (error) {
        if (text !== 'rollback') throw explain(error)
        // The error that ended the transaction is the one to tell.
        isBroken = true
        return { command: 'ROLLBACK', rowCount: 0, rows: [] }
      }
    },
    release: () => client.release(isBroken),
  }
  // Kysely's type requires cursors as well, which are not used.
  return adapter as unknown as PostgresPoolClient
}
