import type { Registry, RegistryTables } from '../registry/registry-tables.ts'
import type { Target } from './connect/address.ts'
import type { Connections } from './connect/connections.ts'
import { kyselyOver } from './connect/dialect.ts'
import { toStoreError } from './connect/faults.ts'
import type { ReleaseTables } from './registry-tables.ts'

export type { Registry }

/** The tables of releases and readings, over these connections. */
export function registryOver(connections: Connections, target: Target): Registry {
  const database = kyselyOver<RegistryTables>(connections, error => toStoreError(error, target))
  return database.withSchema(target.schema)
}

/** The registry with its tables of releases. */
export const releasesOf = (registry: Registry) => registry.withTables<ReleaseTables>()
