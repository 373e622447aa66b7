import { DEFAULT_TABLES, type StoreOptions } from '../engine.ts'
import { createReadingStore } from '../readings/reading-store.ts'
import { createReleaseStore } from '../registry/release-store.ts'
import { createStates } from '../registry/states.ts'
import type { WriteRegistry } from '../registry/tables.ts'
import type { Store } from '../store.ts'
import { readAddress } from './connect/address.ts'
import { mayNotWrite, mayRecover } from './connect/faults.ts'
import { degradedComponents, openServers } from './connect/servers.ts'
import { registryOver } from './connect/session.ts'
import { openCoordination } from './coordinate/coordination.ts'
import { openRelease, verifyRelease } from './read/open-release.ts'
import { readRegistry, writing } from './registry.ts'
import { prepareSchema } from './schema.ts'
import { createConflicts } from './write/conflicts.ts'
import { withHistoryWriter, writingReadings } from './write/history.ts'
import { openReleaseWriter } from './write/release-writer.ts'

/**
 * Opens the store in a database, creating it if necessary. The address is what follows the scheme. Throws {@link StoreUnusableError} and {@link NoStoreError}; with `patient`, an unavailable
 * server throws nothing, and operations fail until it is available.
 */
export async function openPostgresStore(
  address: string,
  { patient = false, readUrl, tables = DEFAULT_TABLES, mustExist }: StoreOptions = {},
): Promise<Store> {
  const target = readAddress(address)
  const prepared = untilDone(() => prepareSchema(target, mustExist))
  const servers = openServers(target, readUrl, prepared)
  const { primary, reader } = servers
  await prepared().catch(error => {
    if (!patient || !mayRecover(error)) throw error
  })
  const { read, revision } = readRegistry(servers)
  const registry = registryOver(primary, target)
  const coordination = openCoordination(target, registry)
  const { retrying, onConflict } = createConflicts()
  const write: WriteRegistry = work => retrying(() => writing(registry).execute(work))
  const releases = createReleaseStore({
    read,
    revision,
    open: (kept, layout) => openRelease(servers, kept, layout),
    verify: kept => verifyRelease(servers, kept),
    lock: options => openReleaseWriter(target, options, tables, retrying),
  })

  return {
    maxConcurrency: (reader ?? primary).target.poolSize,
    degraded: () => degradedComponents(servers),
    async verify() {
      await revision()
    },
    releases: {
      ...releases,
      async sweep() {
        await prepared()
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
    ...createStates(read, write),
    leases: coordination,
    coordination,
    onConflict,
    async close() {
      coordination.close()
      await Promise.all([primary.end(), reader?.end()])
    },
  }
}

/** Repeats work at each call until it has succeeded. Calls at the same time share an attempt. */
function untilDone(work: () => Promise<void>): () => Promise<void> {
  let attempt: Promise<void> | undefined
  return () => {
    attempt ??= work().catch(error => {
      attempt = undefined
      throw error
    })
    return attempt
  }
}
