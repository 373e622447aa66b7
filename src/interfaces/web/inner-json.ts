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
  /** Called where nobody may keep what was given. */
  readonly onUnkept?: () => void
}

/** Creates what gives pages the JSON of the service's own endpoints, on behalf of a request. */
export function createInnerJson(
  request: ParsedRequest,
  { get, toProblem, baseUrl, onUnkept }: InnerJsonOptions,
): GetJson {
  return async path => {
    try {
      const { headers, body } = await get(path, request)
      if (headers[headers.indexOf('cache-control') + 1] === 'no-store') onUnkept?.()
      return JSON.parse(String(body))
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
