import { ownText } from './text.ts'

/** A bounded cache of computed values; cleared when it is full. */
export interface Cache<K, V extends {}> {
  get(key: K): V | undefined
  set(key: K, value: V): void
}

/** Creates an empty cache. */
export function createCache<K, V extends {}>(options: {
  readonly maxEntries: number
  /** Stops caching when keys rarely repeat. */
  readonly isAdaptive?: boolean
}): Cache<K, V> {
  const { maxEntries, isAdaptive = false } = options
  const entries = new Map<K, V>()
  let hits = 0
  let isUseful = true
  return {
    get(key) {
      const value = entries.get(key)
      if (value !== undefined) hits++
      return value
    },
    set(key, value) {
      if (!isUseful) return
      if (entries.size >= maxEntries) {
        entries.clear()
        isUseful = !isAdaptive || hits >= maxEntries
        hits = 0
        if (!isUseful) return
      }
      entries.set(key, value)
    },
  }
}

/** Enough for keys that come from the code. */
const MAX_ENTRIES = 500

/** Caches the results of a function by key, up to `maxEntries` keys. Keys that clients send need `memoiseSent`. */
export function memoise<V extends {}, K = string>(
  compute: (key: K) => V,
  maxEntries = MAX_ENTRIES,
): (key: K) => V {
  const cache = createCache<K, V>({ maxEntries })
  return key => {
    const known = cache.get(key)
    if (known !== undefined) return known
    const value = compute(key)
    cache.set(key, value)
    return value
  }
}

/** Longer texts are not cached: honest clients do not send them. */
const MAX_SENT_LENGTH = 256

/** Enough for more than a hundred distinct texts. An entry takes about 100 bytes, and up to two for each character. */
const MAX_SENT_BYTES = 65_536
const ENTRY_BYTES = 100

/** Caches the small results of a function for texts that clients send. Texts and results take at most 64 KiB. */
export function memoiseSent<V extends {}>(compute: (sent: string) => V): (sent: string) => V {
  const values = new Map<string, V>()
  let bytes = 0
  return sent => {
    if (sent.length > MAX_SENT_LENGTH) return compute(sent)
    const known = values.get(sent)
    if (known !== undefined) return known
    const own = ownText(sent)
    const value = compute(own)
    const size = ENTRY_BYTES + 2 * own.length
    if (bytes + size > MAX_SENT_BYTES) {
      values.clear()
      bytes = 0
    }
    bytes += size
    values.set(own, value)
    return value
  }
}
