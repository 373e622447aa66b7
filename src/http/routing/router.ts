import type { EventClients } from '../events/event-clients.ts'
import type { LoadShedder } from '../protection/load-shedding.ts'
import type { ResponseCache } from '../response/response-cache.ts'
import { createRouteTable, type RouteTable } from './route-table.ts'

/** What routes share. */
export interface SharedParts {
  readonly shedder: LoadShedder
  /** Responses that cost little to make. */
  readonly cache: ResponseCache
  /** Responses of expensive endpoints, within the operator's bound. */
  readonly expensiveCache: ResponseCache
  readonly eventClients: EventClients
}

/** Where endpoints, event streams and pages are added. */
export interface Router extends RouteTable {
  readonly shared: SharedParts
  /** Calls back when the app closes. */
  onClose(callback: () => void): void
  close(): void
}

/** Makes a router without routes. */
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
