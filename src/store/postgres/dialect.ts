import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type { Connections, Lent } from './connections.ts'
import { type Explain, endsConnection } from './faults.ts'

/** Gives Kysely these connections, errors explained. Destroying the Kysely leaves them open. */
export function kyselyOver<Tables>(
  connections: Pick<Connections, 'connect'>,
  explain: Explain,
): Kysely<Tables> {
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

/** A connection of its own in the place of many. */
export const only = (client: Pick<Lent, 'query'>): Pick<Connections, 'connect'> => ({
  connect: async () => ({ query: client.query.bind(client), release() {} }) as Lent,
})

function adapted(client: Lent, explain: Explain): PostgresPoolClient {
  let isBroken = false
  const adapter = {
    async query(text: string, values: readonly unknown[]) {
      try {
        return await client.query(text, [...values])
      } catch (error) {
        isBroken ||= endsConnection(error)
        throw explain(error)
      }
    },
    release: () => client.release(isBroken),
  }
  // Kysely's type is of a client that has cursors as well, which are not used.
  return adapter as unknown as PostgresPoolClient
}
