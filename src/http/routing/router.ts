import type { EventClients } from '../events/event-clients.ts'
import type { LoadShedder } from '../protection/load-shedding.ts'
import type { ResponseCache } from '../response/response-cache.ts'
import { createRouteTable, type RouteTable } from './route-table.ts'

/** Parts that all routes share. */
export interface SharedParts {
  readonly shedder: LoadShedder
  /** Cached responses of cheap endpoints. */
  readonly cache: ResponseCache
  /** Cached responses of expensive endpoints, bounded by RESPONSE_CACHE_MB. */
  readonly expensiveCache: ResponseCache
  readonly eventClients: EventClients
}

/** The route table, with the parts that endpoints, event streams and pages need. */
export interface Router extends RouteTable {
  readonly shared: SharedParts
  /** Registers a callback for when the app closes. */
  onClose(callback: () => void): void
  close(): void
}

/** Creates a router without routes. */
export function createRouter(shared: SharedParts): Router {
  const closing: (() => void)[] = []
  return {
    ...createRouteTable(),
    shared,
    onClose: callback => void closing.push(callback),
    close() {
      for (const callback of closing) callback()
    },
  }
}
