import type { Cores } from './machine.ts'
import type { ServiceOptions } from './service.ts'

/** The service's settings, by what is measured. */
export interface ServiceSettings {
  /** The columnar table with the response cache: the default. */
  readonly memory: ServiceOptions
  /** The same without the response cache. */
  readonly memoryUncached: ServiceOptions
  /** The default with a rate limit that the first request reaches. */
  readonly limited: ServiceOptions
  /** SQL without the response cache. */
  readonly sql: ServiceOptions
}

const NO_CACHE = { RESPONSE_CACHE_MB: '0' }

export function serviceSettings(given: {
  readonly store: string
  readonly feedUrl: string
  readonly cores: Cores | undefined
}): ServiceSettings {
  const { store, feedUrl, cores } = given
  const common = { store, feedUrl, cores: cores?.server }
  const inMemory = { TABLE_ENGINE: 'memory' }
  return {
    memory: { ...common, name: 'memory', settings: inMemory },
    limited: {
      ...common,
      name: 'memory with a reached limit',
      settings: { ...inMemory, VEHICLES_RATE_LIMIT: '1' },
    },
    memoryUncached: {
      ...common,
      name: 'memory without cache',
      settings: { ...inMemory, ...NO_CACHE },
    },
    sql: { ...common, name: 'SQL', settings: { TABLE_ENGINE: 'sql', ...NO_CACHE } },
  }
}
