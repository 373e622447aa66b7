import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, onRequestAsyncHookHandler } from 'fastify'
import { Problem } from '../../errors.ts'
import type { SharedCounts } from '../../limits/shared-counts.ts'

const WINDOW_S = 3600

/** So many clients are counted at once; beyond, those longest unseen are forgotten. About 100 bytes each. */
const CLIENTS_COUNTED = 100_000

export interface RateLimitsOptions {
  /** Where all instances count together; without it, and while it cannot be asked, each counts on its own. */
  readonly shared?: Pick<SharedCounts, 'count'> | undefined
  /** Among so many a limit is divided while each counts on its own. */
  readonly instances?: number
}

declare module 'fastify' {
  interface FastifyInstance {
    rateLimits: RateLimitsOptions
  }
}

/** Makes {@link limitRate} possible. IPv6 clients are counted by their /64, which one household holds. */
export async function registerRateLimits(
  app: FastifyInstance,
  options: RateLimitsOptions = {},
): Promise<void> {
  app.decorate('rateLimits', options)
  await app.register(rateLimit, { global: false, cache: CLIENTS_COUNTED })
}

/**
 * Limits each client to so many requests an hour, HEAD and 304 included, and says where it stands in the fields
 * RateLimit-Policy and RateLimit (IETF draft); beyond, the problem RATE_LIMITED. 0 limits nothing, and needs no hook.
 */
export function limitRate(
  app: FastifyInstance,
  { perHour }: { perHour: number },
): onRequestAsyncHookHandler | undefined {
  if (perHour === 0) return undefined
  const { shared, instances = 1 } = app.rateLimits
  const perHourAlone = Math.ceil(perHour / instances)
  const countAlone = app.createRateLimit({ max: perHourAlone, timeWindow: WINDOW_S * 1000 })

  return async (request, reply) => {
    const who = `${request.routeOptions.url} ${normalizeIP(request.ip)}`
    const together = shared && (await shared.count(who, WINDOW_S * 1000))
    if (together !== undefined) {
      const { count, millisecondsLeft } = together
      tell(reply, perHour, perHour - count, Math.ceil(millisecondsLeft / 1000))
      return
    }
    const alone = await countAlone(request)
    if (alone.isAllowed) return
    tell(reply, perHourAlone, alone.isExceeded ? -1 : alone.remaining, alone.ttlInSeconds)
  }
}

/** Says what is allowed and what remains. Throws the problem where that is less than nothing. */
function tell(reply: FastifyReply, allowed: number, remaining: number, seconds: number): void {
  reply.headers({
    'ratelimit-policy': `"hourly";q=${allowed};w=${WINDOW_S}`,
    ratelimit: `"hourly";r=${Math.max(0, remaining)};t=${seconds}`,
  })
  if (remaining >= 0) return
  throw new Problem(
    'RATE_LIMITED',
    `At most ${allowed} requests an hour are answered here; ${seconds} s remain.`,
    { headers: { 'retry-after': String(seconds) } },
  )
}
