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

/** More distinct request headers than honest clients send. */
const MAX_ENTRIES = 500

/** Caches the results of a function by key, up to `maxEntries` keys. */
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
