import { LRUCache } from 'lru-cache'
import { chain, type MaybePromise } from '../values/promises.ts'
import type { RateLimitCount } from './redis-connection.ts'

/** Counts one request of a client, who may send `allowed` requests in the window that starts with the first. */
export type CountRequest = (client: string, allowed: number, windowMs: number) => MaybePromise<RateLimitCount>

/** The most clients counted at the same time. Beyond it, the least recently seen are evicted. About 100 bytes each. */
export const MAX_CLIENTS = 100_000

// `max` would reserve the memory for all clients at the start; `maxSize` does not.
const byClient = <T extends object>() =>
  new LRUCache<string, T>({ maxSize: MAX_CLIENTS, sizeCalculation: () => 1 })

/** Requests that one worker may let through. */
export interface Part {
  readonly requests: number
  /** The requests of the window that no worker has taken. */
  readonly left: number
  /** The end of the window, milliseconds since 1970 UTC. */
  readonly endsAt: number
}

/** The share of a client's requests that may lie unused with workers when the client is refused. */
const UNUSED_SHARE = 0.05

/** Divides the requests of each client among workers, which take them in parts. All parts together are what is allowed. */
export function createAllowances(workers: number) {
  const windows = byClient<{ taken: number; readonly endsAt: number }>()
  return {
    take(client: string, allowed: number, windowMs: number): Part {
      const now = Date.now()
      let window = windows.get(client)
      if (window === undefined || window.endsAt <= now) {
        window = { taken: 0, endsAt: now + windowMs }
        windows.set(client, window)
      }
      const most = Math.max(1, Math.floor((allowed * UNUSED_SHARE) / Math.max(1, workers - 1)))
      const requests = Math.max(0, Math.min(most, allowed - window.taken))
      window.taken += requests
      return { requests, left: allowed - window.taken, endsAt: window.endsAt }
    },
    /** Takes back what a worker that ends has not used. */
    giveBack(client: string, { requests, endsAt }: Pick<Part, 'requests' | 'endsAt'>): void {
      const window = windows.get(client)
      if (window?.endsAt === endsAt) window.taken -= requests
    },
  }
}

/** Counts in parts that `take` gets from the process that divides them. */
export function countInParts(take: (...asked: Parameters<CountRequest>) => Promise<Part>) {
  const parts = byClient<{ requests: number; readonly left: number; readonly endsAt: number }>()
  const taking = new Map<string, Promise<void>>()

  const count: CountRequest = (client, allowed, windowMs) => {
    const now = Date.now()
    const part = parts.get(client)
    if (part !== undefined && part.endsAt > now) {
      const millisecondsLeft = part.endsAt - now
      if (part.requests > 0) {
        part.requests--
        return { count: allowed - part.left - part.requests, millisecondsLeft }
      }
      // Refused without asking until the window ends.
      if (part.left === 0) return { count: allowed + 1, millisecondsLeft }
    }
    const taken =
      taking.get(client) ??
      take(client, allowed, windowMs).then(got => {
        parts.set(client, { ...got })
      })
    taking.set(client, taken)
    return chain(
      taken.finally(() => taking.delete(client)),
      () => count(client, allowed, windowMs),
    )
  }
  return {
    count,
    /** Empties the parts, and returns what was left of them. */
    leave(): [client: string, part: Part][] {
      const unused = [...parts.entries()].filter(([, { requests }]) => requests > 0)
      parts.clear()
      return unused
    },
  }
}
