import { LRUCache } from 'lru-cache'
import { Problem } from '../errors.ts'
import { chain, type MaybePromise } from '../values/promises.ts'
import type { StoredResponse } from './response.ts'

/** An LRU cache of responses, bounded in bytes. */
export interface ResponseCache {
  /** Returns the response under a key or an alias, if it is current. */
  find(key: string): StoredResponse | undefined
  /** Returns the response that was kept last under the key, current or not. */
  last(key: string): StoredResponse | undefined
  /**
   * Returns the response under the key, or creates it. Concurrent requests for it share one creation. Any other result, or a
   * refusal because of the load of the client that asked first, is for its own request alone: the others create theirs.
   */
  getOrCreate<Unshared extends object = never>(
    key: string,
    version: CacheVersion,
    create: () => MaybePromise<StoredResponse | Unshared>,
  ): MaybePromise<StoredResponse | Unshared>
  /** Makes `find` return the response of a key under another spelling too. */
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

/** The size of an entry without its body and key: the headers of each variant, the objects. */
const OVERHEAD_BYTES = 4096

/** Enough for the spellings of honest clients, and a bound on the memory for hostile ones: a URL may have 8 KB. */
const MAX_ALIAS_BYTES = 4 * 2 ** 20
const ALIAS_OVERHEAD_BYTES = 200

/** Creates a cache; with `maxBytes` 0 it stores nothing, and still shares concurrent creations. */
export function createResponseCache({ maxBytes }: { maxBytes: number }): ResponseCache {
  const entries =
    maxBytes > 0 ? new LRUCache<string, Entry>({ maxSize: maxBytes, sizeCalculation }) : undefined
  const aliases = new LRUCache<string, string>({
    maxSize: MAX_ALIAS_BYTES,
    sizeCalculation: (key, alias) => key.length + alias.length + ALIAS_OVERHEAD_BYTES,
  })
  const pending = new Map<string, { version: unknown; response: Promise<object> }>()

  function current(key: string): StoredResponse | undefined {
    const entry = entries?.get(key)
    return entry !== undefined && entry.version.read() === entry.version.value ? entry.response : undefined
  }

  function getOrCreate<Unshared extends object = never>(
    key: string,
    version: CacheVersion,
    create: () => MaybePromise<StoredResponse | Unshared>,
  ): MaybePromise<StoredResponse | Unshared> {
    const found = current(key)
    if (found !== undefined) return found
    const running = pending.get(key)
    if (running !== undefined && running.version === version.value)
      return running.response.then(
        made => ('select' in made ? (made as StoredResponse) : create()),
        error => {
          if (error instanceof Problem && error.code === 'OVERLOADED')
            return getOrCreate(key, version, create)
          throw error
        },
      )
    const response = chain(create(), made => {
      if ('select' in made) entries?.set(key, { response: made, version })
      return made
    })
    if (!(response instanceof Promise)) return response
    const entry = { version: version.value, response }
    pending.set(key, entry)
    const forget = () => {
      if (pending.get(key) === entry) pending.delete(key)
    }
    response.then(forget, forget)
    return response
  }

  return {
    getOrCreate,
    last: key => entries?.get(key)?.response,
    find(key) {
      const found = current(key)
      if (found !== undefined) return found
      const aliased = aliases.get(key)
      return aliased === undefined ? undefined : current(aliased)
    },
    alias(alias, key) {
      if (alias !== key && entries?.has(key)) aliases.set(alias, key)
    },
  }
}

/** Counts the body twice: its gzip and brotli variants together are smaller than the body. */
function sizeCalculation({ response }: Entry, key: string): number {
  return response.body.length * 2 + key.length + OVERHEAD_BYTES
}
