import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { ConnectionOptions } from 'node:tls'
import { StoreUnusableError } from '../../store.ts'

/** A PostgreSQL database and its connection parameters, as an address names them. */
export interface Target {
  /** Tried in turn. */
  readonly hosts: readonly Host[]
  readonly user: string
  readonly password: string | undefined
  readonly database: string
  /** Which of the hosts are usable. */
  readonly attributes: SessionAttributes
  /** False where connections are not encrypted. */
  readonly tls: false | ConnectionOptions
  readonly applicationName: string
  /** The schema that holds all tables, so that the database may hold other things as well. */
  readonly schema: string
  /** The maximum number of connections that read. */
  readonly poolSize: number
  /** The server's time limit for a request's statement, in milliseconds. */
  readonly statementMs: number
  /** A server that does not answer a health check within this many milliseconds is unavailable. */
  readonly healthCheckMs: number
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

const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
const DEFAULT_PORT = 5432
/** The parameters that are numbers. */
const NUMBERS = {
  pool_size: { usual: 10, least: 1, most: 1000 },
  statement_timeout: { usual: 10_000, least: 100, most: 600_000 },
  health_check_timeout: { usual: 600, least: 50, most: 60_000 },
} as const
const PARAMETERS = [
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'target_session_attrs', 'application_name'],
  ...['host', 'port', 'schema', ...Object.keys(NUMBERS)],
]

/**
 * Parses what follows the scheme of an address, in libpq's syntax:
 * `//user:password@host:port,host:port/database?target_session_attrs=read-write`. Throws {@link StoreUnusableError}
 * with the cause, without the password. `usual` has the defaults.
 */
export function readAddress(address: string, usual: { schema: string } = { schema: 'pds' }): Target {
  const parts = /^\/\/(?:([^/?]*)@)?([^/?@]*)(?:\/([^/?@]*))?(?:\?([^@]*))?$/.exec(address)
  if (parts === null) throw refused('it is postgres://user:password@host:port/database')
  const [, login = '', authority = '', path = '', query = ''] = parts
  const parameters = new URLSearchParams(query)
  const known = (name: string) => parameters.get(name) ?? undefined
  for (const name of parameters.keys())
    if (!PARAMETERS.includes(name))
      throw refused(`it has an unknown parameter; these are known: ${PARAMETERS.join(', ')}`)

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
    schema: readSchema(known('schema') ?? usual.schema),
    poolSize: readNumber('pool_size', known),
    statementMs: readNumber('statement_timeout', known),
    healthCheckMs: readNumber('health_check_timeout', known),
    shown: `the database ${database} on ${hosts.map(shownHost).join(', ')}`,
  }
}

/** Returns a value if it is one of those allowed. */
function oneOf<T extends string>(name: string, allowed: readonly T[], value: string): T {
  const found = allowed.find(one => one === value)
  if (found === undefined) throw refused(`${name} is one of ${allowed.join(', ')}`)
  return found
}

/** The error for an invalid address. */
const refused = (what: string): StoreUnusableError =>
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

/**
 * Parses the TLS parameters as libpq does: `require` encrypts, and verifies if there is a root certificate; `verify-ca`
 * verifies the issuer of the server's certificate; `verify-full` its name as well.
 */
function readTls(known: (name: string) => string | undefined): Target['tls'] {
  const mode = oneOf('sslmode', TLS_MODES, known('sslmode') ?? 'disable')
  if (mode === 'disable') return false
  const [ca, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map(name => readPem(name, known(name)))
  return {
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
    rejectUnauthorized: mode !== 'require' || ca !== undefined,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  }
}

function readPem(name: string, path: string | undefined): Buffer | undefined {
  // libpq's keyword for the system's trusted certificates, which are used if none is named.
  if (path === undefined || path === 'system') return undefined
  try {
    return readFileSync(path)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw refused(`${name} names a file that cannot be read (${code})`)
  }
}

function readSchema(name: string): string {
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(name) || name.startsWith('pg_'))
    throw refused(
      'schema is of small letters, digits and underscores, 40 at most, and does not start with pg_',
    )
  return name
}

function readNumber(name: keyof typeof NUMBERS, known: (name: string) => string | undefined): number {
  const { usual, least, most } = NUMBERS[name]
  const text = known(name) ?? String(usual)
  const number = /^\d{1,6}$/.test(text) ? Number(text) : -1
  if (number < least || number > most) throw refused(`${name} is a number from ${least} to ${most}`)
  return number
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw refused('"%" in a name or a password is written %25')
  }
}

/** A host as messages show it. */
export const shownHost = ({ host, port }: Host): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`
