import { chain, type MaybePromise } from '../../values/promises.ts'
import type { RateLimiter } from '../protection/rate-limit.ts'
import type { ParsedRequest } from '../request/message.ts'
import type { PreparedResponse } from '../response/prepared-response.ts'
import type { Route } from './router.ts'

/** Handles a request, counted against its route's limit where it has one. Throws problems. */
export function handleWithinLimit(
  route: Route,
  request: ParsedRequest,
  limitRate: RateLimiter,
): MaybePromise<PreparedResponse> {
  const { limit } = route
  if (limit === undefined || limit.perHour === 0) return route.handle(request)
  const { name, perHour } = limit
  const { client, responseHeaders } = request
  return chain(limitRate({ name, perHour, client: client(), responseHeaders }), () => route.handle(request))
}
