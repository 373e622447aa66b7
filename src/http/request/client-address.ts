import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { memoiseSent } from '../../values/memoise.ts'

/**
 * Creates a function that returns the client's address. X-Forwarded-For is used only from the trusted proxies (addresses or
 * CIDRs): the client is the last address that is not a trusted proxy. A port after an address is ignored. An entry that is not
 * an address ends the search. The client is then the socket's address, so that nobody can make up clients.
 */
export function clientAddressReader(trusted: readonly string[]): (message: IncomingMessage) => string {
  if (trusted.length === 0) return ({ socket }) => socket.remoteAddress ?? ''
  const isTrusted = trustedProxies(trusted)
  return ({ socket, headers }) => {
    const { remoteAddress = '' } = socket
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
    let address = remoteAddress
    while (isTrusted(address)) {
      const next = forwarded.pop()
      if (next === undefined) return address
      const parsed = withoutPort(next.trim())
      if (isIP(parsed) === 0) return remoteAddress
      address = parsed
    }
    return address
  }
}

/** An address as proxies write it: `192.0.2.1:4711`, `[2001:db8::1]:4711` and `[2001:db8::1]` without port and brackets. */
function withoutPort(written: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(written) ?? []
  return bracketed ?? plain ?? written
}

function trustedProxies(trusted: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return address => {
    const family = isIP(address)
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}

/** The key that a client is counted by: its IPv4 address, or the /64 of its IPv6 address, usually one household. */
export const clientKey = memoiseSent((sent): string => {
  const address = withoutMapping(sent)
  return isIP(address) === 6 ? `${leadingGroups(address).join(':')}::/64` : address
})

/** An IPv4 address in IPv6 notation (RFC 4291 2.5.5.2), rewritten as IPv4. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** The first four of the eight groups of an IPv6 address, each in its shortest form. */
function leadingGroups(address: string): string[] {
  const [head = '', tail] = (address.split('%', 1)[0] ?? '')
    .replace(/(?:\d{1,3}\.){3}\d{1,3}$/, '0:0')
    .split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [first, last] = [groups(head), groups(tail ?? '')]
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  return [...first, ...zeros, ...last].slice(0, 4).map(group => Number.parseInt(group, 16).toString(16))
}
