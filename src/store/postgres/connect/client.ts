import { Client, type ClientBase, type ClientConfig, type Connection, types } from 'pg'
import type { Host, SessionAttributes, Target } from './address.ts'

/** A reachable host answers sooner, even from far away. */
export const CONNECT_MS = 3000
/** Keep-alive packets keep firewalls and proxies from dropping an idle connection. */
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

/** The driver returns 8-byte integers, and sums of them, as text; none here is above 2 to the 53rd. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format)

/** Cuts a connection in any state: its pending queries fail at once. */
export function cut(client: ClientBase): void {
  const { connection } = client as ClientBase & { readonly connection: Connection }
  connection.stream.destroy()
}

/** Connects to the first usable host, for long work: its statements have no time limit. The caller ends the connection. */
export async function connectAlone(target: Target): Promise<Client> {
  let failure: unknown
  for (const attempt of attempts(target)) {
    const client = new Client(clientConfig(target, attempt))
    // Without a listener, losing the connection would end the process; its next query fails.
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

/** The required role of a server; any is usable if undefined. */
export type Role = 'primary' | 'standby' | undefined

/** A host to try, and its required role. */
export interface Attempt extends Host {
  readonly role: Role
}

const ROLES: Readonly<Record<SessionAttributes, readonly Role[]>> = {
  any: [undefined],
  'read-write': ['primary'],
  primary: ['primary'],
  'read-only': ['standby'],
  standby: ['standby'],
  'prefer-standby': ['standby', undefined],
}

/** The hosts in the order in which they are tried. */
export function attempts({ hosts, attributes }: Pick<Target, 'hosts' | 'attributes'>): Attempt[] {
  return ROLES[attributes].flatMap(role => hosts.map(host => ({ ...host, role })))
}

/** Throws unless the server has the required role. */
export async function checkRole(client: Pick<ClientBase, 'query'>, role: Role): Promise<void> {
  if (role === undefined) return
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
  if ((rows[0]?.standby ? 'standby' : 'primary') !== role) throw new WrongRoleError(role)
}

/** The server is reachable but has another role. */
export class WrongRoleError extends Error {
  override name = 'WrongRoleError'

  readonly role: Role

  constructor(role: Role) {
    super(`the server is not a ${role}`)
    this.role = role
  }
}
