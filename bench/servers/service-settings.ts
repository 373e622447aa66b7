import type { Cores } from './machine.ts'
import type { ServiceOptions } from './service.ts'

/** The settings of the service for each kind of measurement. */
export interface ServiceSettings {
  /** The columnar table with the response cache: the default. */
  readonly memory: ServiceOptions
  /** The same without the request log. */
  readonly unlogged: ServiceOptions
  /** The default without the response cache. */
  readonly memoryUncached: ServiceOptions
  /** The default with a rate limit that the first request reaches. */
  readonly limited: ServiceOptions
}

export function serviceSettings(given: {
  readonly store: string
  readonly feedUrl: string
  readonly cores: Cores | undefined
}): ServiceSettings {
  const { store, feedUrl, cores } = given
  const common = { store, feedUrl, cores: cores?.server }
  return {
    memory: { ...common, name: 'memory' },
    unlogged: { ...common, name: 'memory without request log', settings: { LOG_LEVEL: 'warn' } },
    limited: {
      ...common,
      name: 'memory with a reached limit',
      settings: { VEHICLES_RATE_LIMIT: '1' },
    },
    memoryUncached: {
      ...common,
      name: 'memory without cache',
      settings: { RESPONSE_CACHE_MB: '0' },
    },
  }
}
