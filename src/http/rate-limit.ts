import { LRUCache } from 'lru-cache'
import { Problem } from '../errors.ts'
import { type CountRequest, MAX_CLIENTS } from '../limits/allowances.ts'
import type { RateLimitCount } from '../limits/redis-connection.ts'
import { chain } from '../values/promises.ts'
import { HOUR_S } from '../values/time-units.ts'
import type { ParsedRequest } from './request.ts'
import type { Route } from './router.ts'

const WINDOW_S = HOUR_S
const WINDOW_MS = WINDOW_S * 1000

/** Request counts shared by several instances; `undefined` while they are unavailable. */
export interface SharedCounter {
  count(key: string, windowMs: number): Promise<RateLimitCount | undefined>
}

/**
 * Creates a function that makes a route enforce its limit. A counted request gets the fields RateLimit-Policy and RateLimit
 * (IETF draft), and beyond the limit the problem RATE_LIMITED. Without shared counts, or while they are unavailable, this
 * instance counts by `count` and allows its part of the limit.
 */
export function limitRate(
  shared: SharedCounter | undefined,
  instances: number,
  count: CountRequest = countAlone(),
): (route: Route) => Route {
  return route => {
    const { limit, handle } = route
    if (limit === undefined || limit.perHour === 0) return route
    const { name, perHour } = limit
    const ownPart = Math.ceil(perHour / instances)
    const handleLimited = (request: ParsedRequest) => {
      const key = `${name} ${request.client()}`
      return chain(shared?.count(key, WINDOW_MS), counted => {
        const allowed = counted === undefined ? ownPart : perHour
        return chain(counted ?? count(key, ownPart, WINDOW_MS), known => {
          report(request, allowed, known)
          return handle(request)
        })
      })
    }
    return { ...route, handle: handleLimited }
  }
}

/** Counts in this process. */
function countAlone(): CountRequest {
  const windows = new LRUCache<string, { count: number; readonly endsAt: number }>({
    maxSize: MAX_CLIENTS,
    sizeCalculation: () => 1,
  })
  return (client, _allowed, windowMs) => {
    const now = Date.now()
    let window = windows.get(client)
    if (window === undefined || window.endsAt <= now) {
      window = { count: 0, endsAt: now + windowMs }
      windows.set(client, window)
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
