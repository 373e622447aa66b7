import type { Problem } from '../../errors.ts'
import type { Get } from '../../http/inner-requests.ts'
import type { ParsedRequest } from '../../http/request/message.ts'
import { problemBody } from '../../http/response/problem-response.ts'
import type { ApiError, GetJson } from './explorer.ts'

export interface InnerJsonOptions {
  /** The public base address; read at each use. */
  readonly baseUrl: () => string
  /** Asks the service's own endpoints. */
  readonly get: Get
  /** Converts any error to the problem that the client gets. */
  readonly toProblem: (error: unknown) => Problem
}

/** Creates what gives pages the JSON of the service's own endpoints, on behalf of a request. */
export function createInnerJson(
  request: ParsedRequest,
  { get, toProblem, baseUrl }: InnerJsonOptions,
): GetJson {
  return async path => {
    try {
      return JSON.parse(String((await get(path, request)).body))
    } catch (error) {
      const problem = toProblem(error)
      const { 'retry-after': retryAfter } = problem.headers
      throw Object.assign(new Error(problem.message), {
        problem: JSON.parse(String(problemBody(problem, path, baseUrl()))),
        ...(retryAfter !== undefined && { retryAfterS: Number(retryAfter) }),
      }) satisfies ApiError
    }
  }
}
