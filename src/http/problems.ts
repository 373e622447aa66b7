import { PROBLEMS, Problem, type ProblemCode } from '../errors.ts'
import { addressOf, basePathOf } from '../values/addresses/address-of.ts'
import { memoise } from '../values/memoise.ts'
import { InvalidParameter } from '../values/values.ts'
import { allowedMethods } from './default-headers.ts'
import { invalidParameters } from './parameters.ts'
import { headerList, type PreparedResponse } from './response.ts'

/** The path of the page that explains a problem: the `type` of its responses. */
export const problemPath = (code: ProblemCode) => `/problems/${code.toLowerCase().replaceAll('_', '-')}`

/** The headers of every error. Errors are never cached. */
const PROBLEM_HEADERS = [
  ...['content-type', 'application/problem+json; charset=utf-8', 'cache-control', 'no-store'],
] as const

const basePath = memoise(basePathOf)

/** The body of a problem, for the address that was requested. */
export function problemBody(problem: Problem, url: string, baseUrl: string, traceId?: string): Buffer {
  const { title, status, hint } = PROBLEMS[problem.code]
  const body = {
    type: addressOf(baseUrl, problemPath(problem.code)),
    title,
    status,
    detail: problem.message,
    instance: addressOf(basePath(baseUrl), url).slice(0, 200),
    code: problem.code,
    hint,
    errors: problem.errors,
    removed: problem.removed,
    traceId,
  }
  return Buffer.from(JSON.stringify(body))
}

/** The response for a problem. */
export function problemResponse(
  problem: Problem,
  url: string,
  baseUrl: string,
  traceId: string,
): PreparedResponse {
  const body = problemBody(problem, url, baseUrl, traceId)
  const headers = [...PROBLEM_HEADERS, ...headerList(problem.headers), 'content-length', String(body.length)]
  return { status: problem.status, headers, body, problem: problem.code }
}

/** The problem for a method that is not allowed. */
export const methodNotAllowed = (allow = allowedMethods({})) =>
  new Problem('METHOD_NOT_ALLOWED', `This method is not allowed here: use ${allow}.`, { headers: { allow } })

/** Converts an expected error of another component to a problem; undefined for unexpected ones. */
type ExpectedError = (error: Error) => Problem | undefined

/** The log of unexpected errors. */
export interface ErrorLog {
  error(fields: object, message: string): void
}

/** Creates a function that converts any error to a problem: internal details go to the log, never to the client. */
export function problemConverter(
  log: ErrorLog,
  expected: ExpectedError = () => undefined,
): (error: unknown, traceId?: string) => Problem {
  return (error, traceId) => {
    if (error instanceof Problem) return error
    if (error instanceof InvalidParameter) return invalidParameters([error.error])
    const problem = error instanceof Error ? expected(error) : undefined
    if (problem !== undefined) return problem
    log.error({ event: 'request-failed', err: error, traceId }, 'a request failed')
    return new Problem('INTERNAL_ERROR', 'The request failed because of an error in the service.')
  }
}
