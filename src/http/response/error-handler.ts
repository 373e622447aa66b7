import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem, type ProblemCode } from '../../errors.ts'
import { nearest } from '../../values/nearest.ts'
import { sendProblem } from './problem-response.ts'

/** Fastify's own errors, as problems; every other error is a mistake of ours. */
const FRAMEWORK_ERRORS: Readonly<Record<string, { code: ProblemCode; detail: string }>> = {
  FST_ERR_BAD_URL: { code: 'BAD_REQUEST', detail: 'The percent-encoding of the path is not valid UTF-8.' },
  FST_ERR_MAX_PARAM_LENGTH: {
    code: 'URI_TOO_LONG',
    detail: 'A part of the path has more than 100 characters.',
  },
}

/** Gives the problem that a foreseen error of another part is; undefined for those that nobody foresaw. */
export type Foreseen = (error: Error) => Problem | undefined

/** Errors of every kind as problems: nothing internal reaches the consumer, and all of it reaches the log. */
export function asProblem(
  error: FastifyError | Error,
  log: FastifyRequest['log'],
  foreseen: Foreseen = () => undefined,
): Problem {
  if (error instanceof Problem) return error
  const problem = foreseen(error)
  if (problem !== undefined) return problem
  const known = 'code' in error ? FRAMEWORK_ERRORS[error.code] : undefined
  if (known !== undefined) return new Problem(known.code, known.detail)
  if ('statusCode' in error && error.statusCode !== undefined && error.statusCode < 500)
    return new Problem('BAD_REQUEST', 'The request could not be read.')
  log.error({ err: error }, 'a request failed')
  return new Problem('INTERNAL_ERROR', 'The request could not be answered.')
}

/** Answers errors and unknown paths with problems; `paths` are the known ones, to name the nearest. */
export function handleErrors(
  app: FastifyInstance,
  options: { baseUrl: () => string; paths: () => readonly string[]; foreseen?: Foreseen },
): void {
  app.decorateReply('problem', undefined)
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendProblem(request, reply, asProblem(error, request.log, options.foreseen), options.baseUrl()),
  )
  app.setNotFoundHandler((request, reply) =>
    sendProblem(request, reply, unknownPath(request, options.paths()), options.baseUrl()),
  )
}

/**
 * Answers errors that Fastify meets before it has a route: a path that cannot be decoded, or is too long. Nobody who
 * means well sends those, so the connection is closed. No hook runs, so `onAnswered` is called instead.
 */
export function frameworkErrorHandler(
  baseUrl: () => string,
  onAnswered: (request: FastifyRequest, reply: FastifyReply) => void,
) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.raw.once('finish', () => onAnswered(request, reply))
    reply.header('connection', 'close')
    sendProblem(request, reply, asProblem(error, request.log), baseUrl())
  }
}

function unknownPath(request: FastifyRequest, paths: readonly string[]): Problem {
  const path = request.url.split('?', 1)[0] ?? ''
  const meant = nearest(path, paths)?.replaceAll(/:(\w+)/g, '{$1}')
  const detail =
    meant === undefined
      ? 'There is nothing at this path.'
      : `There is nothing at this path; ${meant} is near it.`
  return new Problem('NOT_FOUND', detail)
}
