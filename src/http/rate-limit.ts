import { LRUCache } from 'lru-cache'
import { Problem } from '../errors.ts'
import type { RateLimitCount } from '../limits/redis-connection.ts'
import { chain, type MaybePromise } from '../values/promises.ts'
import { HOUR_S } from '../values/time-units.ts'
import type { ParsedRequest } from './request.ts'
import type { PreparedResponse } from './response.ts'
import type { Route } from './router.ts'

const WINDOW_S = HOUR_S
const WINDOW_MS = WINDOW_S * 1000

/** The most clients counted at the same time. Beyond it, the least recently seen are evicted. About 100 bytes each. */
const MAX_CLIENTS = 100_000

/** Request counts shared by several instances; `undefined` while they are unavailable. */
export interface SharedCounter {
  count(key: string, windowMs: number): Promise<RateLimitCount | undefined>
}

/** Handles a request by its route. Throws problems. */
export type HandleRequest = (route: Route, request: ParsedRequest) => MaybePromise<PreparedResponse>

/**
 * Creates a handler that enforces the limits of routes. A counted request gets the fields RateLimit-Policy and RateLimit (IETF
 * draft), and beyond the limit the problem RATE_LIMITED. Without shared counts, or while they are unavailable, this instance
 * counts locally and allows its part of the limit.
 */
export function limitRate(shared: SharedCounter | undefined, instances: number): HandleRequest {
  const countLocally = createLocalCounter()

  return (route, request) => {
    const { limit } = route
    if (limit === undefined || limit.perHour === 0) return route.handle(request)
    const { name, perHour } = limit
    const key = `${name} ${request.client()}`
    const handle = (counted: RateLimitCount | undefined) => {
      if (counted === undefined) report(request, Math.ceil(perHour / instances), countLocally(key))
      else report(request, perHour, counted)
      return route.handle(request)
    }
    return chain(shared?.count(key, WINDOW_MS), handle)
  }
}

/** Counts in this process. The window of a client starts with its first request. */
function createLocalCounter(): (key: string) => RateLimitCount {
  // `max` would reserve the memory for all clients at the start; `maxSize` does not.
  const windows = new LRUCache<string, { count: number; readonly endsAt: number }>({
    maxSize: MAX_CLIENTS,
    sizeCalculation: () => 1,
  })
  return key => {
    const now = Date.now()
    let window = windows.get(key)
    if (window === undefined || window.endsAt <= now) {
      window = { count: 0, endsAt: now + WINDOW_MS }
      windows.set(key, window)
    }
    window.count++
    return { count: window.count, millisecondsLeft: window.endsAt - now }
  }
}

function report(
  { responseHeaders }: ParsedRequest,
  allowed: number,
  { count, millisecondsLeft }: RateLimitCount,
): void {
  const seconds = Math.ceil(millisecondsLeft / 1000)
  const remaining = Math.max(0, allowed - count)
  responseHeaders.push('ratelimit-policy', `"hourly";q=${allowed};w=${WINDOW_S}`)
  responseHeaders.push('ratelimit', `"hourly";r=${remaining};t=${seconds}`)
  if (count <= allowed) return
  throw new Problem('RATE_LIMITED', `The limit is ${allowed} requests an hour. Try again in ${seconds} s.`, {
    retryAfterS: seconds,
  })
}
