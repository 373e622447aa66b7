import type { FastifyInstance } from 'fastify'
import { Problem } from '../errors.ts'

/**
 * Refuses what Node's parser lets through but caches and proxies may read differently: several Host headers (RFC 9112
 * 3.2), and a version in the request line that is not HTTP/1.0 or 1.1.
 */
export function refuseAmbiguousRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    const hosts = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
    if (hosts.length <= 1 && (raw.httpVersion === '1.1' || raw.httpVersion === '1.0')) return
    reply.header('connection', 'close')
    throw new Problem(
      'BAD_REQUEST',
      hosts.length > 1 ? 'The request has several Host headers.' : 'The HTTP version is not 1.0 or 1.1.',
    )
  })
}
