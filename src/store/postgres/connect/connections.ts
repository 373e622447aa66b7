import { StoreBusyError } from '../../store.ts'
import type { Target } from './address.ts'
import type { Purpose } from './pool.ts'
import { type Away, type Lent, openServer, type Server, type ServerCheck } from './server.ts'
import { attempts, WrongRoleError } from './session-role.ts'

/** Connections that are lent out one at a time. */
export interface Connections {
  connect(): Promise<Lent>
}

/** The servers of an address. */
export interface Servers {
  readonly target: Target
  readonly all: readonly Server[]
  /** Those that may be asked, in the order in which they are to be. */
  usable(): readonly Server[]
  /** Since when and why none of them can be asked; undefined while one can. */
  away(): Away | undefined
  end(): Promise<void>
}

export interface ServersOptions {
  /**
   * True where the first that will do is meant, as soon as it is there again; else that which did last is asked on, so
   * that a primary that comes back old is not taken for the one in its place.
   */
  readonly inOrder?: boolean
  readonly check?: ServerCheck
}

/** Opens connections as they are needed, to the first host that will do. */
export function openServers(target: Target, { inOrder = false, check }: ServersOptions = {}): Servers {
  const servers = knowingEachOther(attempts(target).map(attempt => openServer(target, attempt, check)))
  let order = servers
  return {
    target,
    all: servers,
    usable() {
      const found = order.filter(server => server.away() === undefined)
      const [first] = found
      if (first === undefined) for (const server of servers) server.hurry()
      else if (!inOrder && first !== order[0]) order = [first, ...order.filter(other => other !== first)]
      return found
    },
    away() {
      if (servers.some(server => server.away() === undefined)) return undefined
      return servers.map(server => server.away()).find(away => away !== undefined)
    },
    async end() {
      await Promise.all(servers.map(server => server.end()))
    },
  }
}

/** A host that is tried in two roles is away in both, unless it is only not what one of them asks for. */
function knowingEachOther(servers: readonly Server[]): Server[] {
  return servers.map(server => {
    const { host, port } = server.host
    const twins = servers.filter(
      other => other !== server && other.host.host === host && other.host.port === port,
    )
    const away = () =>
      server.away() ??
      twins.map(twin => twin.away()).find(state => state && !(state.reason instanceof WrongRoleError))
    return {
      ...server,
      away,
      async lend(purpose) {
        const state = away()
        if (state !== undefined) throw state.reason
        return server.lend(purpose)
      },
    }
  })
}

/** Connections to the first of the servers that lends one out. */
export function connectionsOf(servers: Servers, purpose: Purpose): Connections {
  return {
    async connect() {
      let failure: unknown
      for (const server of servers.usable()) {
        try {
          return await server.lend(purpose)
        } catch (error) {
          if (error instanceof StoreBusyError) throw error
          failure ??= error
        }
      }
      throw failure ?? servers.away()?.reason ?? new Error('timeout: no server is left')
    },
  }
}

/** Connections to one server. */
export const connectionsTo = (server: Server, purpose: Purpose): Connections => ({
  connect: () => server.lend(purpose),
})
