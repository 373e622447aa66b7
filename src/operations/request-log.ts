import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Logs one line a request: what was asked and how it went, never who asked. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => logAnswer(request, reply))
}

/** Logs one answered request. */
export function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      method: request.method,
      // JSON escapes control characters; the cut keeps a hostile address from filling the disk.
      path: request.url.slice(0, 200),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
    },
    'request',
  )
}
