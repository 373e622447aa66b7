import type { IncomingMessage } from 'node:http'
import { Problem } from '../../errors.ts'

/**
 * Throws BAD_REQUEST for messages that Node's parser accepts but caches and proxies may read differently: several Host
 * headers or, in HTTP/1.1, none (RFC 9112 3.2), and an HTTP version that is not 1.0 or 1.1. The connection is closed.
 */
export function requireUnambiguous({ httpVersion, rawHeaders }: IncomingMessage): void {
  const wrong = ambiguity(httpVersion, countHosts(rawHeaders))
  if (wrong !== undefined) throw new Problem('BAD_REQUEST', wrong, { headers: { connection: 'close' } })
}

function ambiguity(version: string, hosts: number): string | undefined {
  if (version !== '1.1' && version !== '1.0') return 'The HTTP version is not 1.0 or 1.1.'
  if (hosts > 1) return 'The request has several Host headers.'
  return hosts === 0 && version === '1.1' ? 'The request has no Host header.' : undefined
}

/** Counts in the raw headers: `headers` has only the first Host. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}
