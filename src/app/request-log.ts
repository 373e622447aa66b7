import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { ProblemCode } from '../errors.ts'

/** What the log tells of an answer; never who asked. */
export interface LoggedAnswer {
  readonly method?: string
  readonly url: string
  readonly status: number
  readonly ms: number
  /** What was wrong, where it is an error. */
  readonly problem?: ProblemCode | undefined
}

export type RequestLog = Pick<Logger, 'info' | 'isLevelEnabled'>

/** Logs one line a request: what was asked and how it went. */
export function logRequests(app: FastifyInstance, log: RequestLog): void {
  app.addHook('onResponse', async (request, reply) => logAnswer(log, answered(request, reply)))
}

/** Logs one answered request. Who is turned away in overload is only counted, for there may be thousands a second. */
export function logAnswer(log: RequestLog, { method = 'GET', url, status, ms, problem }: LoggedAnswer): void {
  if (problem === 'OVERLOADED' || !log.isLevelEnabled('info')) return
  log.info(
    // JSON escapes control characters; the cut keeps a hostile address from filling the disk.
    { method, path: url.slice(0, 200), status, ms: Math.round(ms * 100) / 100, problem },
    'request',
  )
}

/** What the log tells of an answer that the framework gave. */
export function answered(request: FastifyRequest, reply: FastifyReply): LoggedAnswer {
  const { method, url } = request
  return { method, url, status: reply.statusCode, ms: reply.elapsedTime, problem: reply.problem }
}
