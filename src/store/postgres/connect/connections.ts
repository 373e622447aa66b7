import { StoreBusyError } from '../../store.ts'
import type { Target } from './address.ts'
import { attempts, WrongRoleError } from './client.ts'
import type { Purpose } from './pool.ts'
import {
  openServer,
  type PooledConnection,
  type Server,
  type ServerCheck,
  type Unavailable,
} from './server.ts'

/** Acquires connections, one at a time. */
export interface Connections {
  connect(): Promise<PooledConnection>
}

/** The servers of an address. */
export interface Servers {
  readonly target: Target
  readonly all: readonly Server[]
  /** The available servers in the order of preference. */
  usable(): readonly Server[]
  /** Since when and why none is available; undefined while one is. */
  unavailable(): Unavailable | undefined
  end(): Promise<void>
}

export interface ServersOptions {
  /**
   * True to prefer the first available server; else the one used last stays preferred, so that an old primary that
   * restarts does not replace the one promoted in its place.
   */
  readonly inOrder?: boolean
  readonly check?: ServerCheck
}

/** Opens connections as they are needed, to the first usable host. */
export function openServers(target: Target, { inOrder = false, check }: ServersOptions = {}): Servers {
  const servers = knowingEachOther(attempts(target).map(attempt => openServer(target, attempt, check)))
  let order = servers
  return {
    target,
    all: servers,
    usable() {
      const found = order.filter(server => server.unavailable() === undefined)
      const [first] = found
      if (first === undefined) for (const server of servers) server.retrySoon()
      else if (!inOrder && first !== order[0]) order = [first, ...order.filter(other => other !== first)]
      return found
    },
    unavailable() {
      if (servers.some(server => server.unavailable() === undefined)) return undefined
      return servers.map(server => server.unavailable()).find(state => state !== undefined)
    },
    async end() {
      await Promise.all(servers.map(server => server.end()))
    },
  }
}

/** A host that is tried in two roles is unavailable in both, unless it only lacks one of the roles. */
function knowingEachOther(servers: readonly Server[]): Server[] {
  return servers.map(server => {
    const { host, port } = server.host
    const twins = servers.filter(
      other => other !== server && other.host.host === host && other.host.port === port,
    )
    const unavailable = () =>
      server.unavailable() ??
      twins.map(twin => twin.unavailable()).find(state => state && !(state.reason instanceof WrongRoleError))
    return {
      ...server,
      unavailable,
      async acquire(purpose) {
        const state = unavailable()
        if (state !== undefined) throw state.reason
        return server.acquire(purpose)
      },
    }
  })
}

/** Connections to the first server that has one available. */
export function connectionsOf(servers: Servers, purpose: Purpose): Connections {
  return {
    async connect() {
      let failure: unknown
      for (const server of servers.usable()) {
        try {
          return await server.acquire(purpose)
        } catch (error) {
          if (error instanceof StoreBusyError) throw error
          failure ??= error
        }
      }
      throw failure ?? servers.unavailable()?.reason ?? new Error('timeout: no server is left')
    },
  }
}

/** Connections to one server. */
export const connectionsTo = (server: Server, purpose: Purpose): Connections => ({
  connect: () => server.acquire(purpose),
})
