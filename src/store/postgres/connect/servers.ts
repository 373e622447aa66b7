import { type DegradedComponent, StoreUnusableError } from '../../store.ts'
import { readAddress, type Target } from './address.ts'
import { openServer, type Server } from './connections.ts'

/** The servers of a store. */
export interface Servers {
  /** Has all data, and is authoritative. */
  readonly primary: Server
  /** Follows the primary, and may lag; releases are read from it first. Undefined without `DATABASE_READ_URL`. */
  readonly reader: Server | undefined
}

/**
 * Returns the servers of a database and of its read address, not connected yet. `prepare` is awaited before each connection
 * to the primary.
 */
export function openServers(
  target: Target,
  readUrl: string | undefined,
  prepare?: () => Promise<void>,
): Servers {
  return {
    primary: openServer(target, prepare),
    reader: readUrl === undefined ? undefined : openServer(readTarget(target, readUrl)),
  }
}

/** The target of the read address, whose schema is by default that of the first. Throws {@link StoreUnusableError}. */
export function readTarget({ schema }: Target, readUrl: string): Target {
  const target = readAddress(readUrl, schema)
  if (target.schema !== schema)
    throw new StoreUnusableError(
      `reading is from the schema ${target.schema} and writing into ${schema}: name the same in both addresses`,
    )
  return target
}

/** The unavailable servers. */
export function degradedComponents({ primary, reader }: Servers): DegradedComponent[] {
  const parts = [['primary', primary] as const, ['reader', reader] as const]
  return parts.flatMap(([part, server]) => {
    const outage = server?.unavailable()
    return outage === undefined ? [] : [{ part, ...outage }]
  })
}
