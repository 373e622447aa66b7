import { userInfo } from 'node:os'
import { StoreUnusableError } from '../store.ts'
import { readTls, type Tls } from './tls.ts'

/** A PostgreSQL database and how to come to it, as an address names it. */
export interface Target {
  /** Tried in turn. */
  readonly hosts: readonly Host[]
  readonly user: string
  readonly password: string | undefined
  readonly database: string
  /** Which of the hosts will do. */
  readonly attributes: SessionAttributes
  readonly tls: Tls
  readonly applicationName: string
  /** Everything lies in it, so that the database may hold other things as well. */
  readonly schema: string
  /** Connections at most, of those that read. */
  readonly poolSize: number
  /** For messages: without user and password. */
  readonly shown: string
}

export interface Host {
  /** A name, an address, or the folder of a socket. */
  readonly host: string
  readonly port: number
}

const ATTRIBUTES = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const
export type SessionAttributes = (typeof ATTRIBUTES)[number]

const PARAMETERS = [
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'target_session_attrs', 'application_name'],
  ...['host', 'port', 'schema', 'pool_size'],
]
const DEFAULT_PORT = 5432
const DEFAULT_POOL_SIZE = 10

/**
 * Reads what follows the scheme of an address as libpq writes it:
 * `//user:password@host:port,host:port/database?target_session_attrs=read-write`. Throws {@link StoreUnusableError}
 * with what is wrong, without the password.
 */
export function readAddress(address: string): Target {
  const parts = /^\/\/(?:([^/?]*)@)?([^/?@]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(address)
  if (parts === null) throw refused('it is postgres://user:password@host:port/database')
  const [, login = '', authority = '', path = '', query = ''] = parts
  const parameters = new URLSearchParams(query)
  const known = (name: string) => parameters.get(name) ?? undefined
  for (const name of parameters.keys())
    if (!PARAMETERS.includes(name))
      throw refused(`"${name.slice(0, 40)}" is no parameter of it; these are: ${PARAMETERS.join(', ')}`)

  const [user = '', ...password] = login.split(':')
  const name = decoded(user) || userInfo().username
  const hosts = readHosts(known('host') ?? authority, known('port'))
  const database = decoded(path) || name
  return {
    hosts,
    user: name,
    password: password.length === 0 ? undefined : decoded(password.join(':')),
    database,
    attributes: oneOf('target_session_attrs', ATTRIBUTES, known('target_session_attrs') ?? 'any'),
    tls: readTls(known),
    applicationName: known('application_name') ?? 'pds',
    schema: readSchema(known('schema') ?? 'pds'),
    poolSize: readPoolSize(known('pool_size')),
    shown: `the database ${database} on ${hosts.map(shownHost).join(', ')}`,
  }
}

/** Gives a value if it is one of those allowed. */
export function oneOf<T extends string>(name: string, allowed: readonly T[], value: string): T {
  const found = allowed.find(one => one === value)
  if (found === undefined) throw refused(`${name} is one of ${allowed.join(', ')}`)
  return found
}

/** What is wrong with an address. */
export const refused = (what: string): StoreUnusableError =>
  new StoreUnusableError(`the address of the PostgreSQL database cannot be read: ${what}`)

function readHosts(text: string, ports: string | undefined): Host[] {
  const portTexts = ports?.split(',') ?? []
  return text.split(',').map((one, index) => {
    const [, bracketed, plain = '', port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^[\]:]*))(?::(\d+))?$/.exec(one) ?? []
    const host = bracketed ?? decoded(plain)
    const number = Number(port ?? portTexts[index] ?? portTexts[0] ?? DEFAULT_PORT)
    if ((host === '' && one !== '') || !(Number.isInteger(number) && number > 0 && number < 65_536))
      throw refused('hosts are host:port, with commas between them, ports from 1 to 65535')
    return { host: host || 'localhost', port: number }
  })
}

function readSchema(name: string): string {
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(name) || name.startsWith('pg_'))
    throw refused(
      'schema is of small letters, digits and underscores, 40 at most, and does not start with pg_',
    )
  return name
}

function readPoolSize(text = String(DEFAULT_POOL_SIZE)): number {
  const size = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (size < 1 || size > 1000) throw refused('pool_size is a number from 1 to 1000')
  return size
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw refused('"%" in a name or a password is written %25')
  }
}

const shownHost = ({ host, port }: Host): string => `${host.includes(':') ? `[${host}]` : host}:${port}`
