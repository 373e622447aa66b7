import { Client, type ClientBase, type ClientConfig, type Connection, types } from 'pg'
import type { Target } from './address.ts'
import { type Attempt, attempts, checkRole } from './session-role.ts'

/** A host that is there answers sooner, even from far away. */
export const CONNECT_MS = 3000
/** A connection that nobody uses is kept alive through what stands in between. */
const KEEP_ALIVE_MS = 10_000

const INT8 = 20
const NUMERIC = 1700

/** The settings of a connection to one host; `settings` are the server's, for the session. */
export function clientConfig(
  { user, password, database, tls, applicationName }: Target,
  { host, port }: Attempt,
  settings: Readonly<Record<string, string | number>> = {},
): ClientConfig {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  return {
    ...{ host, port, user, password, database, ssl: tls, application_name: applicationName },
    ...(options.length > 0 && { options: options.join(' ') }),
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser },
  }
}

/** The driver gives whole numbers of eight bytes, and sums of them, as text; none here is above 2 to the 53rd. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format)

/** Cuts a connection, whatever state it is in: what is asked over it fails at once. */
export function cut(client: ClientBase): void {
  const { connection } = client as ClientBase & { readonly connection: Connection }
  connection.stream.destroy()
}

/**
 * Connects to the first host that will do, for work of any length: what it waits for, it waits for without limit. The
 * caller ends it.
 */
export async function connectAlone(target: Target): Promise<Client> {
  let failure: unknown
  for (const attempt of attempts(target)) {
    const client = new Client(clientConfig(target, attempt))
    // Without a listener, losing the connection would end the process; whatever is asked of it next fails.
    client.on('error', () => {})
    try {
      await client.connect()
      await checkRole(client, attempt.role)
      return client
    } catch (error) {
      failure ??= error
      await client.end().catch(() => undefined)
    }
  }
  throw failure
}
