import type { IncomingMessage } from 'node:http'

/**
 * Tells a GET request as nearly all are: one Host header, no body, no preferences. Any other must be looked at by the
 * whole set of rules.
 */
export function isPlain({ method, httpVersion, headers, rawHeaders }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    httpVersion === '1.1' &&
    headers.prefer === undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined &&
    headers.upgrade === undefined &&
    hosts(rawHeaders) === 1
  )
}

/** Of several Host headers Node shows only the first. */
function hosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}
