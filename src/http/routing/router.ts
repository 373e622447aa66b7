import type { FastifyInstance } from 'fastify'

/** Where endpoints, event streams and pages are added. */
export type Router = FastifyInstance
