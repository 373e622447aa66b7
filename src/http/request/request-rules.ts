import type { FastifyInstance } from 'fastify'
import { Problem } from '../../errors.ts'

/**
 * Refuses what Node's parser lets through but caches and proxies may read differently: several Host headers or, in
 * HTTP/1.1, none (RFC 9112 3.2), and a version in the request line that is not HTTP/1.0 or 1.1.
 */
export function refuseAmbiguousRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    const hosts = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
    const wrong = whatIsWrong(raw.httpVersion, hosts.length)
    if (wrong === undefined) return
    reply.header('connection', 'close')
    throw new Problem('BAD_REQUEST', wrong)
  })
}

function whatIsWrong(version: string, hosts: number): string | undefined {
  if (version !== '1.1' && version !== '1.0') return 'The HTTP version is not 1.0 or 1.1.'
  if (hosts > 1) return 'The request has several Host headers.'
  return hosts === 0 && version === '1.1' ? 'The request has no Host header.' : undefined
}

/** Leaves the body of every request unread: no endpoint takes one, and what is wrong with it is nobody's concern. */
export function passOverBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}
