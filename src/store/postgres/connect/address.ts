import { Client, type ClientConfig, types } from 'pg'
import { parse, toClientConfig } from 'pg-connection-string'
import { errorCode } from '../../../values/system/error-code.ts'
import { StoreUnusableError } from '../../store.ts'

/** A PostgreSQL database, as named by an address. */
export interface Target {
  readonly config: ClientConfig
  /** The schema that holds all tables, so that the database may hold other things as well. */
  readonly schema: string
  /** The maximum number of connections that requests use. */
  readonly poolSize: number
  /** The server's time limit for a statement of a request, in milliseconds. */
  readonly statementMs: number
  /** For messages: without user and password. */
  readonly shown: string
}

/** A reachable server answers sooner, even a distant one. */
const CONNECT_MS = 3000
/** Keep-alive packets keep firewalls and proxies from dropping an idle connection. */
const KEEP_ALIVE_MS = 10_000
const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full']

const PARAMETERS = [
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'application_name', 'host', 'port', 'schema'],
  ...['pool_size', 'statement_timeout'],
]

/**
 * Parses an address such as `//user:password@host:port/database?sslmode=verify-full`; the scheme is optional. Throws {@link
 * StoreUnusableError} with the cause, without the password.
 */
export function readAddress(address: string, usualSchema = 'pds'): Target {
  const [, location, host = '', query] =
    /^(?:postgres(?:ql)?:)?(\/\/(?:[^/?]*@)?([^/?@]*)(?:\/[^/?@]*)?)(?:\?([^@]*))?$/.exec(address) ?? []
  if (location === undefined) throw refused('it is postgres://user:password@host:port/database')
  const parameters = new URLSearchParams(query)
  if (host.includes(',') || parameters.get('host')?.includes(',') || parameters.has('target_session_attrs'))
    throw refused(
      'it names one server: DATABASE_URL is the address that leads to the writer, DATABASE_READ_URL one that leads to a ' +
        'reader, such as those of HAProxy, and target_session_attrs is not needed',
    )
  for (const name of parameters.keys())
    if (!PARAMETERS.includes(name))
      throw refused(`it has an unknown parameter; these are known: ${PARAMETERS.join(', ')}`)

  const {
    schema = usualSchema,
    pool_size = '10',
    // With the time to connect, a request fails within 2 seconds when the server freezes.
    statement_timeout = '1500',
    ...others
  } = Object.fromEntries(parameters)
  // libpq's word for the system's certificates, the default here.
  if (others.sslrootcert === 'system') delete others.sslrootcert
  if (!TLS_MODES.includes(others.sslmode ?? 'disable'))
    throw refused(`sslmode is one of ${TLS_MODES.join(', ')}`)
  const config: ClientConfig = {
    application_name: 'pds',
    ...parsed(`postgres:${location}?${new URLSearchParams(others)}`),
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser },
  }
  return {
    config,
    shown: shownTarget(config),
    schema: readSchema(schema),
    poolSize: readNumber('pool_size', pool_size, 1, 1000),
    statementMs: readNumber('statement_timeout', statement_timeout, 100, 600_000),
  }
}

/** The error for an invalid address. */
const refused = (what: string): StoreUnusableError =>
  new StoreUnusableError(`the address of the PostgreSQL database cannot be read: ${what}`)

function parsed(url: string): ClientConfig {
  try {
    return toClientConfig(parse(url, { useLibpqCompat: true }))
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (error instanceof Error && error.message.startsWith('SECURITY'))
      throw refused('sslmode=verify-ca needs the authority in sslrootcert')
    throw refused(
      /^E[A-Z]+$/.test(code)
        ? `sslrootcert, sslcert and sslkey name files, of which one cannot be read (${code})`
        : 'it is postgres://user:password@host:port/database, ports are from 1 to 65535, and "%" in a name or a password is written %25',
    )
  }
}

/** The address as the driver completes it, without user and password. */
function shownTarget(config: ClientConfig): string {
  const { host, port, database } = new Client(config)
  return `the database ${database} on ${host.includes(':') ? `[${host}]` : host}:${port}`
}

function readSchema(name: string): string {
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(name) || name.startsWith('pg_'))
    throw refused(
      'schema is of small letters, digits and underscores, 40 at most, and does not start with pg_',
    )
  return name
}

function readNumber(name: string, text: string, least: number, most: number): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : -1
  if (number < least || number > most) throw refused(`${name} is a number from ${least} to ${most}`)
  return number
}

const INT8 = 20
const NUMERIC = 1700

/** The driver returns 8-byte integers and their sums as text. Counts here are never above 2 to the 53rd; other sums are rounded. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format)
