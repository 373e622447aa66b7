import Type from 'typebox'
import { NotAllowed, type ValueType } from '../values.ts'
import { addressText, shownAddress } from './shown-address.ts'

/** A parsed Redis address. */
export type RedisAddress = ReturnType<typeof readRedisAddress>

const ALLOWED =
  'an address such as redis://127.0.0.1:6379, or rediss:// for TLS; user:password@, port and /database may be left out; a cluster is several hosts joined by commas, or redis+cluster:// with one host; redis+sentinel://host:26379,…/name is a primary that sentinels know'

const FORM =
  /^(?<scheme>rediss?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<user>[^@/?#\s]*)@)?(?<hosts>[^@/?#\s]+)(?<path>(?:\/[^/?#\s]*)*)(?:\?(?<query>[^#\s]*))?$/
const HOST = /^(?<host>[\w.-]+|\[[\da-f:.]+\])(?::(?<port>\d{1,5}))?$/i

/** The address of a Redis server, a cluster or sentinels. The value is the text itself; {@link readRedisAddress} parses it. */
export function redisAddress(): ValueType<string> {
  return {
    schema: Type.String(),
    format: value => value,
    allowed: ALLOWED,
    shown: shownAddress,
    parse(text) {
      readRedisAddress(addressText(text))
      return text
    },
  }
}

/** Parses a Redis address. Throws {@link NotAllowed} with a message that never contains the user or the password. */
export function readRedisAddress(text: string) {
  const { scheme, kind, user, hosts = '', path = '', query } = FORM.exec(text)?.groups ?? {}
  if (scheme === undefined) throw new NotAllowed('is not a Redis URL')
  const [username, password] = readUser(user)
  const usual = kind === 'sentinel' ? 26_379 : 6379
  const several = hosts.includes(',')
  const found = {
    /** The role of the hosts: one server, sentinels that know the primary, or nodes of a cluster. */
    kind: kind === 'sentinel' ? kind : several || kind === 'cluster' ? 'cluster' : 'server',
    hosts: hosts.split(',').map(host => readHost(host, usual)),
    tls: scheme === 'rediss',
    /** For the servers, not the sentinels. */
    username,
    password,
  } as const
  const parts = path.split('/').slice(1)
  const [primary = '', database, ...rest] = kind === 'sentinel' ? parts.map(decoded) : ['', ...parts]
  if (kind === 'sentinel' && primary === '')
    throw new NotAllowed('must end with the name under which sentinels know the primary, such as /mymaster')
  if (rest.length > 0) throw new NotAllowed('has too many parts after the host')
  if (found.kind === 'cluster' && database) throw new NotAllowed('names a database: a cluster has none')
  return {
    ...found,
    /** The sentinels' name for the primary; empty without sentinels. */
    primary,
    database: readDatabase(database),
    ...readSentinelUser(query, kind),
  }
}

function readUser(text: string | undefined): [string | undefined, string | undefined] {
  if (text === undefined) return [undefined, undefined]
  const colon = text.indexOf(':')
  if (colon === -1)
    throw new NotAllowed('must have user:password@, or :password@ alone, in front of the host')
  return [decoded(text.slice(0, colon)) || undefined, decoded(text.slice(colon + 1)) || undefined]
}

function readHost(text: string, usualPort: number): { host: string; port: number } {
  const { host, port = usualPort } = HOST.exec(text)?.groups ?? {}
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw new NotAllowed(
      'must have hosts that are a name or an address, each with a port from 1 to 65535 if any',
    )
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

function readDatabase(text = ''): number {
  if (!/^\d{0,5}$/.test(text)) throw new NotAllowed('must name the database by its number')
  return Number(text)
}

function readSentinelUser(query = '', kind: string | undefined) {
  const parameters = new URLSearchParams(query)
  const known = kind === 'sentinel' ? ['sentinelUsername', 'sentinelPassword'] : []
  if ([...parameters.keys()].some(name => !known.includes(name)))
    throw new NotAllowed('has unknown parameters; sentinels have sentinelUsername and sentinelPassword')
  return {
    sentinelUsername: parameters.get('sentinelUsername') ?? undefined,
    sentinelPassword: parameters.get('sentinelPassword') ?? undefined,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new NotAllowed('is not percent-encoded correctly')
  }
}
