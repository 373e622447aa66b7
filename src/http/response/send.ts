import type { FastifyReply } from 'fastify'
import type { Outcome } from './outcome.ts'

/** Sends an outcome by way of the framework. */
export function send(reply: FastifyReply, { status, headers, body }: Outcome): FastifyReply {
  reply.code(status)
  for (let i = 0; i < headers.length; i += 2) reply.header(headers[i] as string, headers[i + 1])
  return reply.send(body)
}
