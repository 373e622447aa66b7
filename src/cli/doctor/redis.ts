import type { Config } from '../../config.ts'
import { connectRedis } from '../../limits/redis-connection.ts'
import { failureOf } from '../../limits/redis-failure.ts'
import { PATIENCE_MS } from '../../limits/shared-counts.ts'
import { readRedisAddress } from '../../values/addresses/redis-address.ts'
import { type Check, fail, ok } from './check.ts'

const SUBJECT = 'redis'

/** Counts once in Redis, as the service would. */
export async function checkRedis({ REDIS_URL: url }: Pick<Config, 'REDIS_URL'>): Promise<Check[]> {
  if (url === undefined)
    return [ok(SUBJECT, 'REDIS_URL is not set: each instance counts requests on its own')]
  const startedAt = performance.now()
  try {
    const connection = await connectRedis(readRedisAddress(url), PATIENCE_MS, () => {})
    connection.close()
    return [ok(SUBJECT, `connects and counts, in ${Math.ceil(performance.now() - startedAt)} ms`)]
  } catch (error) {
    return [
      fail(
        SUBJECT,
        failureOf(error).message,
        'check REDIS_URL and that this machine may reach it; until then each instance counts requests on its own',
      ),
    ]
  }
}
