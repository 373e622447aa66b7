import type { Registry, RegistryTables } from '../registry/tables.ts'
import type { Target } from './connect/address.ts'
import type { Connections } from './connect/connections.ts'
import { kyselyOver } from './connect/dialect.ts'
import { toStoreError } from './connect/faults.ts'

/** The registry over these connections. */
export function registryOver(connections: Connections, target: Target): Registry {
  const database = kyselyOver<RegistryTables>(connections, error => toStoreError(error, target))
  return database.withSchema(target.schema)
}
