import { open } from 'node:fs/promises'
import { type Socket, SocketAddress } from 'node:net'

/** Linux has the state of every TCP connection in these (proc_net_tcp); elsewhere TCP itself gives up, after minutes. */
const CONNECTION_TABLES = ['/proc/net/tcp', '/proc/net/tcp6']

const ESTABLISHED = '01'

/** The retransmissions and probes without an answer after which a peer counts as unreachable: seconds, up to ten. */
const MIN_UNANSWERED = 3

/** Names a connection by its local port and its peer. */
const nameOf = (localPort: number, peer: string, peerPort: number) => `${localPort} ${peer} ${peerPort}`

/** Returns the name under which `findUnreachablePeers` lists a connection. */
export const connectionName = ({ localPort = 0, remoteAddress = '', remotePort = 0 }: Socket): string =>
  nameOf(localPort, remoteAddress, remotePort)

/**
 * Returns the names of the connections whose peers no longer acknowledge anything. Node cannot set TCP_USER_TIMEOUT, and
 * keep-alive probes are not sent while data is unacknowledged, as that of heartbeats is. Empty where the tables cannot be read.
 */
export async function findUnreachablePeers(): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const table of CONNECTION_TABLES) {
    try {
      for await (const line of (await open(table)).readLines()) {
        const connection = unreachable(line)
        if (connection !== undefined) found.add(connection)
      }
    } catch {
      // Not Linux, or no permission.
    }
  }
  return found
}

function unreachable(line: string): string | undefined {
  const [, local = '', peer = '', state, , , retransmissions = '', , probes] = line.trim().split(/ +/, 9)
  if (state !== ESTABLISHED) return undefined
  if (Number.parseInt(retransmissions, 16) + Number(probes) < MIN_UNANSWERED) return undefined
  const [address = '', port = ''] = peer.split(':')
  const localPort = local.slice(local.indexOf(':') + 1)
  return nameOf(Number.parseInt(localPort, 16), addressOf(address), Number.parseInt(port, 16))
}

/** An address from its hexadecimal form, in words of four bytes, the last byte first. */
function addressOf(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap(word => word.match(/../g)?.reverse() ?? [])
  if (bytes.length === 4) return bytes.map(byte => Number.parseInt(byte, 16)).join('.')
  const groups = bytes.join('').match(/.{4}/g) ?? []
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address
}
