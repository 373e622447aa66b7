import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { FetchError } from './fetch-error.ts'

/** Networks that are not of the public internet (IANA's special-purpose registries): this machine, private, reserved. */
const NETWORKS =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/4 240.0.0.0/4 ::/127 fc00::/7 fe80::/10 ff00::/8'

const PRIVATE = new BlockList()
for (const network of NETWORKS.split(' ')) {
  const [address = '', bits] = network.split('/')
  PRIVATE.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Whether an IP address is of this machine or of a network that is not public. */
export function isPrivate(address: string): boolean {
  return PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Throws {@link FetchError} for the private IP address of a URL's host; a name passes. */
export function refusePrivate(hostname: string): void {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && isPrivate(host)) throw refusal(host)
}

/**
 * Looks up the addresses of a name, and fails where one of them is private. A connection is made to exactly these
 * addresses, so the name cannot be rebound in between.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, addresses = []) => {
    const found = addresses.find(({ address }) => isPrivate(address))
    callback(error ?? (found === undefined ? null : refusal(found.address)), addresses)
  })

const refusal = (address: string) =>
  new FetchError(
    'private',
    `${address} is an address of this machine or of a private network; to allow it, use --allow-private or the source's allowPrivate`,
  )
