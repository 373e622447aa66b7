import { NotAllowed } from '../values.ts'

const LONGEST = 8192

/** Returns the text, or throws {@link NotAllowed} if it is longer than any real address. */
export function addressText(text: string): string {
  if (text.length > LONGEST)
    throw new NotAllowed(`must have at most ${LONGEST} characters; it has ${text.length}`)
  return text
}

/** A host and its port. */
const HOST = /^(?:[\p{L}\p{N}_.%-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/u
const DATABASE = /^\/[\p{L}\p{N}_.%-]{1,63}$/u
/** Schemes with a database after the host. In an https address, the part after the host may be a key. */
const DATABASES = /^(?:postgres(?:ql)?|rediss?(?:\+(?:sentinel|cluster))?)$/i

/**
 * An address as messages show it: scheme, host and database, with "…" for the rest. In doubt it leaves out too much: a
 * password that is not percent-encoded may contain any character, and an address without a scheme may be a password.
 */
export function shownAddress(text: string): string {
  if (/^sqlite:/i.test(text)) return text
  const [, scheme = '', rest] = /^([a-z][a-z\d+.-]{0,30}):\/\/(.*)$/is.exec(text) ?? []
  if (rest === undefined) return '…'
  const at = rest.lastIndexOf('@') + 1
  const hosts = /^[^/?#]*/.exec(rest.slice(at))?.[0] ?? ''
  // After a delimiter, the @ may belong to a password or a query.
  const isCertain = !/[/?#]/.test(rest.slice(0, at)) && hosts.split(',').every(host => HOST.test(host))
  const isLocal = rest.startsWith('/')
  if (!isCertain && !(isLocal && at === 0)) return `${scheme}://…`
  const path = rest.slice(at + hosts.length)
  const user = at > 0 ? '…@' : ''
  if (path === '' || path === '/') return `${scheme}://${user}${hosts}`
  const database = DATABASES.test(scheme) ? /^[^?#]*/.exec(path)?.[0] : undefined
  if (database === undefined || !DATABASE.test(database)) return `${scheme}://${user}${hosts}/…`
  return `${scheme}://${user}${hosts}${database}${path === database ? '' : '…'}`
}

/** Scheme, host, port and path. */
const PUBLIC =
  /^(?:[a-z][a-z\d+.-]{0,30}:\/{1,2})?(?:[\p{L}\p{N}_.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/[^?#@]*)?(?=[?#]|$)/iu

/** A public address as messages show it: whole, but without user, password, query and fragment. */
export function shownPublicAddress(text: string): string {
  const shown = text.includes('@') ? undefined : PUBLIC.exec(text)?.[0]
  if (shown === undefined) return shownAddress(text)
  return shown === text ? text : `${shown}…`
}

/** Any setting as messages show it: text that looks like an address may be an address in the wrong place. */
export const withoutSecrets = (text: string): string => (/@|:\/\/|=/.test(text) ? shownAddress(text) : text)
