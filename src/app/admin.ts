import Fastify, { type FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { handleErrors } from '../http/response/error-handler.ts'
import type { Readiness } from './readiness.ts'

/** The operator's own listener: is it alive, is it ready, and its figures. Never on the public port. */
export function buildAdmin(options: {
  registry: Registry
  readiness: () => Readiness
  baseUrl: () => string
}): FastifyInstance {
  const admin = Fastify({ logger: false, requestTimeout: 5000, forceCloseConnections: true })
  handleErrors(admin, { baseUrl: options.baseUrl, paths: () => ['/livez', '/readyz', '/metrics'] })
  admin.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })
  admin.get('/livez', async () => ({ alive: true }))
  admin.get('/readyz', async (_request, reply) => {
    const state = options.readiness()
    reply.code(state.ready ? 200 : 503)
    return state
  })
  admin.get('/metrics', async (_request, reply) => {
    reply.type(options.registry.contentType)
    return options.registry.metrics()
  })
  return admin
}
