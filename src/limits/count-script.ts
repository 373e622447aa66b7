import { createHash } from 'node:crypto'
import { RedisFailure } from './redis-failure.ts'

/** The count of a client in its window. */
export interface RateLimitCount {
  /** Requests in the window, this one included. */
  readonly count: number
  /** Time until the window ends. */
  readonly millisecondsLeft: number
}

/** The part of a Redis client that counting needs. */
export interface ScriptRunner {
  evalsha(sha: string, keys: number, key: string, windowMs: number): Promise<unknown>
  eval(script: string, keys: number, key: string, windowMs: number): Promise<unknown>
}

/** Counts one request, atomically. The window starts with its first request. */
export const COUNT_SCRIPT = `
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return { count, left }`
const SHA = createHash('sha1').update(COUNT_SCRIPT).digest('hex')

/** Counts one request under a key and returns its count. Loads the script where Redis does not have it. */
export async function countOne(redis: ScriptRunner, key: string, windowMs: number): Promise<RateLimitCount> {
  return countOf(
    await redis.evalsha(SHA, 1, key, windowMs).catch(error => {
      if (!String(error?.message).startsWith('NOSCRIPT')) throw error
      return redis.eval(COUNT_SCRIPT, 1, key, windowMs)
    }),
  )
}

function countOf(reply: unknown): RateLimitCount {
  const [count, left] = Array.isArray(reply) ? reply : []
  if (!Number.isSafeInteger(count) || !Number.isSafeInteger(left) || count < 1 || left < 0)
    throw new RedisFailure('reply')
  return { count, millisecondsLeft: left }
}
