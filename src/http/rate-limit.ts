import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import { Problem } from '../errors.ts'

const WINDOW_S = 3600

/** So many clients are counted at once; beyond, those longest unseen are forgotten. About 100 bytes each. */
const CLIENTS_COUNTED = 100_000

/** Makes {@link limitRate} possible. IPv6 clients are counted by their /64, which one household holds. */
export async function registerRateLimits(app: FastifyInstance): Promise<void> {
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
  const check = app.createRateLimit({ max: perHour, timeWindow: WINDOW_S * 1000 })
  return async (request, reply) => {
    const limit = await check(request)
    if (limit.isAllowed) return
    reply.headers({
      'ratelimit-policy': `"hourly";q=${perHour};w=${WINDOW_S}`,
      ratelimit: `"hourly";r=${limit.remaining};t=${limit.ttlInSeconds}`,
    })
    if (!limit.isExceeded) return
    throw new Problem(
      'RATE_LIMITED',
      `At most ${perHour} requests an hour are answered here; ${limit.ttlInSeconds} s remain.`,
      {
        headers: { 'retry-after': String(limit.ttlInSeconds) },
      },
    )
  }
}
