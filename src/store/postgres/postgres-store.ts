import { DEFAULT_TABLES, type StoreOptions } from '../engine.ts'
import { createReadingStore } from '../readings/reading-store.ts'
import { createIncidents } from '../registry/incidents.ts'
import { createReleaseStore } from '../registry/release-store.ts'
import { createSourceStates } from '../registry/source-states.ts'
import type { WriteRegistry } from '../registry/tables.ts'
import type { Store } from '../store.ts'
import { readAddress } from './connect/address.ts'
import { migrateInBackground, usableOnceMigrated } from './connect/background-migration.ts'
import { connectionsOf } from './connect/connections.ts'
import { mayNotWrite } from './connect/faults.ts'
import { closeTopology, degradedComponents, openTopology } from './connect/topology.ts'
import { openCoordination } from './coordinate/coordination.ts'
import { openRelease, verifyRelease } from './read/open-release.ts'
import { readRegistry, registryOver } from './registry.ts'
import { prepareSchema } from './schema.ts'
import { createConflicts } from './write/conflicts.ts'
import { withHistoryWriter, writingReadings } from './write/history.ts'
import { openReleaseWriter } from './write/release-writer.ts'

export interface PostgresOptions extends Pick<StoreOptions, 'mustExist' | 'patient' | 'tables'> {
  /** What follows the scheme of the address of the read hosts. */
  readonly readFrom?: string | undefined
}

/**
 * Opens the store in a database, creating it if necessary. The address and `readFrom`, the address of the read hosts, are
 * what follows the scheme. Throws {@link StoreUnusableError} and {@link NoStoreError}; with `patient`, an unavailable
 * server throws nothing, and operations fail until it is available.
 */
export async function openPostgresStore(
  address: string,
  { patient = false, readFrom, tables = DEFAULT_TABLES, ...options }: PostgresOptions = {},
): Promise<Store> {
  const target = readAddress(address)
  const opened = openTopology(target, readFrom)
  const migrating = patient ? await migrateInBackground(target, options) : undefined
  if (migrating === undefined) await prepareSchema(target, options)
  const primary = migrating === undefined ? opened.primary : usableOnceMigrated(opened.primary, migrating)
  const topology = { ...opened, primary }
  const { read, revision } = readRegistry(topology)
  const registry = registryOver(connectionsOf(primary, 'writing'), target)
  const coordination = openCoordination(target, registry)
  const { retrying, onConflict } = createConflicts()
  const write: WriteRegistry = work => retrying(() => registry.transaction().execute(work))
  const releases = createReleaseStore({
    read,
    revision,
    open: (kept, layout) => openRelease(topology, kept, layout),
    verify: kept => verifyRelease(topology, kept),
    lock: options => openReleaseWriter(target, retrying, options, tables),
  })

  return {
    maxConcurrency: (topology.replicas ?? primary).target.poolSize,
    degraded: () => degradedComponents(topology),
    async verify() {
      await revision()
    },
    releases: {
      ...releases,
      async sweep() {
        const pending = migrating?.pending()
        if (pending !== undefined) throw pending.reason
        try {
          return await releases.sweep()
        } catch (error) {
          if (mayNotWrite(error)) return 0
          throw error
        }
      },
    },
    readings: createReadingStore({
      read,
      write: writingReadings(registry, target.schema, retrying),
      readNumbers: query => query.execute(),
      withHistoryWriter: work => withHistoryWriter(target, retrying, work),
    }),
    sources: createSourceStates(read, write),
    incidents: createIncidents(read, write),
    leases: coordination,
    coordination,
    onConflict,
    async close() {
      migrating?.stop()
      await coordination.close()
      await closeTopology(opened)
    },
  }
}
