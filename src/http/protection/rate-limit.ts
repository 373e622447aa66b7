import { LRUCache } from 'lru-cache'
import { Problem } from '../../errors.ts'
import type { RateLimitCount } from '../../limits/redis-connection.ts'
import { chain, type MaybePromise } from '../../values/promises.ts'
import { HOUR_S } from '../../values/time-units.ts'

const WINDOW_S = HOUR_S
const WINDOW_MS = WINDOW_S * 1000

/** The most clients counted at once; beyond it the least recently seen are evicted. About 100 bytes each. */
const MAX_CLIENTS = 100_000

/** Request counts shared by several instances; `undefined` while they are unavailable. */
export interface SharedCounter {
  count(key: string, windowMs: number): Promise<RateLimitCount | undefined>
}

/** Counts a request against a route's limit and adds the fields RateLimit-Policy and RateLimit (IETF draft). */
export type RateLimiter = (request: LimitedRequest) => MaybePromise<void>

export interface LimitedRequest {
  /** The path of the route that is limited. */
  readonly name: string
  /** Identifies the client. */
  readonly client: string
  readonly perHour: number
  readonly responseHeaders: string[]
}

/**
 * Creates a limiter that throws the problem RATE_LIMITED beyond the limit. Without shared counts, and while they are
 * unavailable, this instance counts locally and allows its part of the limit.
 */
export function createRateLimiter(options: {
  shared?: SharedCounter | undefined
  instances?: number
}): RateLimiter {
  const { shared, instances = 1 } = options
  const countLocally = createLocalCounter()

  return ({ name, client, perHour, responseHeaders }) => {
    const key = `${name} ${client}`
    const limitLocally = (): void =>
      report(responseHeaders, Math.ceil(perHour / instances), countLocally(key))
    if (shared === undefined) return limitLocally()
    return chain(shared.count(key, WINDOW_MS), counted =>
      counted === undefined ? limitLocally() : report(responseHeaders, perHour, counted),
    )
  }
}

/** Counts in this process, each client in a window that starts with its first request. */
function createLocalCounter(): (key: string) => RateLimitCount {
  // `max` would reserve the memory of all clients at the start; a size does not.
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
  responseHeaders: string[],
  allowed: number,
  { count, millisecondsLeft }: RateLimitCount,
): void {
  const seconds = Math.ceil(millisecondsLeft / 1000)
  const remaining = Math.max(0, allowed - count)
  responseHeaders.push('ratelimit-policy', `"hourly";q=${allowed};w=${WINDOW_S}`)
  responseHeaders.push('ratelimit', `"hourly";r=${remaining};t=${seconds}`)
  if (count <= allowed) return
  throw new Problem('RATE_LIMITED', `The limit is ${allowed} requests an hour. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
}
