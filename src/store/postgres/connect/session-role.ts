import type { ClientBase } from 'pg'
import type { Host, SessionAttributes, Target } from './address.ts'

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
