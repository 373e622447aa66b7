import { LRUCache } from 'lru-cache'
import type { MaybePromise } from '../../values/maybe-promise.ts'
import type { StoredResponse } from './stored-response.ts'

/** Responses kept for the next request that is equal, within a number of bytes; the least recently used goes first. */
export interface ResponseCache {
  /** The response under a key or an alias, if it is current. */
  find(key: string): StoredResponse | undefined
  /** The response under the key, or else a new one. Requests that come while it is being made share it. */
  getOrCreate(
    key: string,
    version: CacheVersion,
    create: () => MaybePromise<StoredResponse>,
  ): MaybePromise<StoredResponse>
  /** Finds the response of a key under another spelling of it, too. */
  alias(alias: string, key: string): void
}

/** A response is current while `read` returns the same value (`===`) as it did before the response was made. */
export interface CacheVersion {
  readonly read: () => unknown
  readonly value: unknown
}

interface Entry {
  readonly response: StoredResponse
  readonly version: CacheVersion
}

/** What an entry takes besides its body: its headers in each variant, its key, the objects. */
const OVERHEAD_BYTES = 4096

/** Other spellings of keys: enough for those that honest clients use, and no more memory than that however many come. */
const MAX_ALIASES = 10_000

/** Makes a cache of that many bytes; 0 keeps nothing, and still shares what is being made. */
export function createResponseCache({ maxBytes }: { maxBytes: number }): ResponseCache {
  const entries =
    maxBytes > 0 ? new LRUCache<string, Entry>({ maxSize: maxBytes, sizeCalculation }) : undefined
  const aliases = new LRUCache<string, string>({ max: MAX_ALIASES })
  const pending = new Map<string, { version: unknown; response: Promise<StoredResponse> }>()

  function current(key: string): StoredResponse | undefined {
    const entry = entries?.get(key)
    return entry !== undefined && entry.version.read() === entry.version.value ? entry.response : undefined
  }

  return {
    find(key) {
      const found = current(key)
      if (found !== undefined) return found
      const aliased = aliases.get(key)
      return aliased === undefined ? undefined : current(aliased)
    },
    getOrCreate(key, version, create) {
      const found = current(key)
      if (found !== undefined) return found
      const keep = (response: StoredResponse): StoredResponse => {
        entries?.set(key, { response, version })
        return response
      }
      const running = pending.get(key)
      if (running !== undefined && running.version === version.value) return running.response
      const creating = create()
      if (!(creating instanceof Promise)) return keep(creating)
      const response = creating.then(keep)
      const entry = { version: version.value, response }
      pending.set(key, entry)
      const forget = () => {
        if (pending.get(key) === entry) pending.delete(key)
      }
      response.then(forget, forget)
      return response
    },
    alias(alias, key) {
      if (alias !== key && entries?.has(key)) aliases.set(alias, key)
    },
  }
}

/** The body twice: its gzip and brotli variants together are smaller than it is. */
function sizeCalculation({ response }: Entry, key: string): number {
  return response.length * 2 + key.length + OVERHEAD_BYTES
}
