import { METHODS } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../errors.ts'

const ALLOWED = 'GET, HEAD, OPTIONS'

/** Says in answers to OPTIONS what is allowed (RFC 9110 9.3.7). Call it before CORS, which answers them at once. */
export function announceMethods(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.method === 'OPTIONS') reply.header('allow', ALLOWED)
  })
}

/**
 * Answers every other method on a known path with METHOD_NOT_ALLOWED and Allow (RFC 9110 15.5.6); without this the
 * framework says 404. Call it after all routes are there.
 */
export function refuseOtherMethods(app: FastifyInstance, paths: readonly string[]): void {
  const others = METHODS.filter(method => !['GET', 'HEAD', 'OPTIONS', 'CONNECT'].includes(method))
  for (const method of others) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  for (const url of paths) {
    app.route({
      method: others,
      url,
      schema: { hide: true },
      // Before a body would be read or a media type looked at.
      onRequest: async () => {
        throw new Problem('METHOD_NOT_ALLOWED', 'This address can only be read.', {
          headers: { allow: ALLOWED },
        })
      },
      handler: async () => undefined,
    })
  }
}
