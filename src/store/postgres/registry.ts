import type { Registry, RegistryTables } from '../registry-tables.ts'
import type { Target } from './address.ts'
import type { Connections } from './connections.ts'
import { kyselyOver } from './dialect.ts'
import { explain } from './faults.ts'
import type { ReleaseTables } from './registry-tables.ts'

export type { Registry }

/** The tables of releases and readings, over these connections. */
export function registryOver(connections: Connections, target: Target): Registry {
  const database = kyselyOver<RegistryTables>(connections, error => explain(error, target))
  return database.withSchema(target.schema)
}

/** The registry with its tables of releases. */
export const releasesOf = (registry: Registry) => registry.withTables<ReleaseTables>()
