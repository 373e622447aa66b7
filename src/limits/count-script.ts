import { createHash } from 'node:crypto'
import { RedisFailure } from './redis-failure.ts'

/** Where a client stands in its window. */
export interface Standing {
  /** Its requests in the window, this one among them. */
  readonly count: number
  /** Until the window ends. */
  readonly millisecondsLeft: number
}

/** What counting needs of a client of Redis. */
export interface ScriptRunner {
  evalsha(sha: string, keys: number, key: string, windowMs: number): Promise<unknown>
  eval(script: string, keys: number, key: string, windowMs: number): Promise<unknown>
}

/** Counts one more. Redis runs it as one: no other command comes between. The window starts with its first request. */
export const COUNT_SCRIPT = `
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return { count, left }`
const SHA = createHash('sha1').update(COUNT_SCRIPT).digest('hex')

/** Counts one more under a key, and says where it stands. A Redis that does not know the script is told it. */
export async function countOne(redis: ScriptRunner, key: string, windowMs: number): Promise<Standing> {
  return standingOf(
    await redis.evalsha(SHA, 1, key, windowMs).catch(error => {
      if (!String(error?.message).startsWith('NOSCRIPT')) throw error
      return redis.eval(COUNT_SCRIPT, 1, key, windowMs)
    }),
  )
}

function standingOf(reply: unknown): Standing {
  const [count, left] = Array.isArray(reply) ? reply : []
  if (!Number.isSafeInteger(count) || !Number.isSafeInteger(left) || count < 1 || left < 0)
    throw new RedisFailure('reply')
  return { count, millisecondsLeft: left }
}
