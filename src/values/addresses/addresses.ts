import { isIP } from 'node:net'
import Type from 'typebox'
import { NotAllowed, type ValueType } from '../values.ts'
import { addressText, shownAddress, shownPublicAddress, withoutSecrets } from './shown-address.ts'

/** An address as a URI (RFC 3986) for headers and links: other characters are percent-encoded. */
export const asUri = (address: string): string =>
  address.toWellFormed().replace(/[^!-~]|[<>"\\^`{|}]/gu, encodeURIComponent)

const checked = (allowed: string, parse: (text: string) => string): ValueType<string> => ({
  schema: Type.String(),
  format: value => value,
  allowed,
  parse,
})

/** An address (`10.0.0.1`, `::1`) or a CIDR (`10.0.0.0/8`). */
export function addressOrCidr(): ValueType<string> {
  const allowed = 'an IP address or a CIDR such as 10.0.0.0/8'
  return checked(allowed, text => {
    const [address = '', bits, ...rest] = text.split('/')
    const family = isIP(address)
    const most = family === 4 ? 32 : 128
    const badBits = bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)
    if (family === 0 || badBits || rest.length > 0)
      throw new NotAllowed(`"${withoutSecrets(text).slice(0, 100)}" is neither`)
    return text
  })
}

const address = (allowed: string, parse: (text: string) => string): ValueType<string> => ({
  ...checked(allowed, text => parse(addressText(text))),
  shown: shownAddress,
})

/** The service's address for consumers. Links contain it, so it must not contain a secret. */
export function publicUrl(): ValueType<string> {
  const { parse, ...type } = httpUrl()
  return {
    ...type,
    allowed: `${type.allowed}, without user, password, query and fragment`,
    shown: shownPublicAddress,
    parse(text) {
      const { username, password, href, pathname } = new URL(parse(text))
      // Even an empty query or fragment has its mark.
      if (username || password || /[?#]/.test(href))
        throw new NotAllowed('must not have a user, a password, a query or a fragment: links would show them')
      // A link that began with two slashes would lead to another host.
      if (pathname.includes('//')) throw new NotAllowed('must not have two slashes in a row in its path')
      return href
    },
  }
}

/** An absolute http or https address. */
export function httpUrl(): ValueType<string> {
  const allowed = 'an address that starts with http:// or https://'
  return address(allowed, text => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new NotAllowed(`must be ${allowed}`)
    return url.href
  })
}

/** The address of a map's raster tiles, with placeholders. Browsers request it, so it must not contain a secret. */
export function tileUrl(): ValueType<string> {
  const allowed = 'an https address with {z}, {x} and {y}, such as https://tile.example.org/{z}/{x}/{y}.png'
  return address(allowed, text => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    const whole = ['{z}', '{x}', '{y}'].every(part => text.includes(part))
    const { protocol, host = '', username, password } = url ?? {}
    if (protocol !== 'https:' || !whole || /[{;,]/.test(host) || username || password)
      throw new NotAllowed(`must be ${allowed}`)
    return text
  })
}

/** The store's address: `sqlite:` and the path of a folder, or `postgres://` and a database; the store parses the rest. */
export const databaseAddress = (): ValueType<string> =>
  matching(
    /^(sqlite:|postgres(ql)?:\/\/)./,
    '`sqlite:` and the path of a folder, such as sqlite:./data, or postgres://user:password@host/database',
  )

/** The address of a PostgreSQL server; the store parses the rest. */
export const postgresAddress = (): ValueType<string> =>
  matching(/^postgres(ql)?:\/\/./, 'postgres://user:password@host/database')

/** The address of a contact person (RFC 9116 2.5.3), on one line. */
export const contactUri = (): ValueType<string> =>
  matching(
    /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/,
    'an address that starts with mailto:, https:// or tel:+',
  )

const matching = (pattern: RegExp, allowed: string): ValueType<string> =>
  address(allowed, text => {
    if (!pattern.test(text)) throw new NotAllowed(`must be ${allowed}`)
    return text
  })

/** A time zone of the IANA database. */
export const timeZone = (): ValueType<string> =>
  checked('a time zone of the IANA database, such as Europe/London', text => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: text }) && text
    } catch {
      throw new NotAllowed('must be a time zone of the IANA database')
    }
  })
