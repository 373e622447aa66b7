import {
  type ReadNumbers,
  readHistoryRevision,
  readKeptHistory,
  readReadings,
  readSummaries,
} from '../readings/history-queries.ts'
import { insertObservation, readLatestObservation } from '../readings/observations.ts'
import { readFirstSeen } from '../registry/first-seen.ts'
import { abortable } from '../staging.ts'
import { type Store, StoreBusyError } from '../store.ts'
import { readAddress, type Target } from './connect/address.ts'
import { migrateInBackground, usableOnceMigrated } from './connect/background-retry.ts'
import { connectionsOf } from './connect/connections.ts'
import { degradedComponents } from './connect/degraded.ts'
import { kyselyOver, singleConnection } from './connect/dialect.ts'
import { mayNotWrite, toReadError } from './connect/faults.ts'
import { closeTopology, openTopology } from './connect/replicas.ts'
import { openCoordination } from './coordinate/coordination.ts'
import { migrate } from './migrate.ts'
import { openRelease, verifyRows } from './read/open-release.ts'
import { readRegistry } from './read/registry-reader.ts'
import { registryOver } from './registry.ts'
import { keptRelease, keptReleases, sameRelease, switchCurrent } from './release-rows.ts'
import { addHistory, dropOldHistory } from './write/history.ts'
import { dropLeftovers } from './write/release-tables.ts'
import { startStaging } from './write/staging.ts'
import { takeWriteLock, type WriteLock } from './write/write-lock.ts'
import { writingReadings } from './write/writing-readings.ts'

const readNumbers: ReadNumbers = query => query.execute()

/** A rollback takes milliseconds, so it waits briefly for another one, but not for an import. */
const ROLLBACK_WAIT_MS = 1000

/**
 * Opens the store in a database, creating it or migrating its schema if necessary. The address and `readFrom`, the
 * address of the read hosts, are what follows the scheme. Throws {@link StoreUnusableError} and {@link NoStoreError};
 * with `patient`, an unavailable server throws nothing, and operations fail until it is available.
 */
export async function openPostgresStore(
  address: string,
  { mustExist = false, patient = false, readFrom }: PostgresOptions = {},
): Promise<Store> {
  const target = readAddress(address)
  const opened = openTopology(target, readFrom)
  const migrating = patient ? await migrateInBackground(target) : undefined
  if (migrating === undefined) await migrate(target, { mustExist })
  const primary = migrating === undefined ? opened.primary : usableOnceMigrated(opened.primary, migrating)
  const topology = { ...opened, primary }
  const kept = readRegistry(topology)
  const own = registryOver(connectionsOf(primary, 'reading'), target)
  const writing = registryOver(connectionsOf(primary, 'writing'), target)
  const inTurn = writingReadings(writing, target.schema)
  const coordination = openCoordination(target, writing)

  return {
    maxConcurrency: (topology.replicas ?? primary).target.poolSize,
    degraded: () => degradedComponents(topology),
    releases: {
      revision: () => kept.revision(),
      async list(dataset) {
        const releases = await kept.ask(registry => keptReleases(registry, dataset))
        return releases.map(({ release }) => release)
      },
      async current(dataset) {
        const releases = await kept.ask(registry => keptReleases(registry, dataset))
        return releases.map(({ release }) => release).find(({ currentSince }) => currentSince !== null)
      },
      async open(release, layout) {
        return openRelease(topology, await kept.ask(registry => sameRelease(registry, release)), layout)
      },
      async stage(dataset, layout, options = {}) {
        const lock = await takeWriteLock(target, options)
        return abortable(await startStaging(target, lock, dataset, layout), options.signal)
      },
      async makeCurrent(dataset, number) {
        const lock = await takeWriteLock(target, { waitMs: ROLLBACK_WAIT_MS })
        try {
          return await rollBack(target, lock, dataset, number)
        } finally {
          await lock.release()
        }
      },
      firstSeen: (dataset, ids) => readFirstSeen(own, dataset, ids),
      async sweep() {
        const pending = migrating?.pending()
        if (pending !== undefined) throw pending.reason
        try {
          const lock = await takeWriteLock(target)
          const registry = registryOver(singleConnection(lock.client), target)
          return await dropLeftovers(registry, target.schema).finally(lock.release)
        } catch (error) {
          if (error instanceof StoreBusyError || mayNotWrite(error)) return 0
          throw error
        }
      },
    },
    readings: {
      saveObservation: observation => insertObservation(inTurn, observation),
      latestObservation: () => kept.ask(readLatestObservation),
      saveHistory: readings => addHistory(target, readings),
      historyRevision: () => kept.ask(readHistoryRevision),
      keptHistory: () => kept.ask(registry => readKeptHistory(registry)),
      readings: range => kept.ask(registry => readReadings(registry, range, readNumbers)),
      summaries: (range, width) => kept.ask(registry => readSummaries(registry, range, width, readNumbers)),
      dropHistory: before => dropOldHistory(target, before),
    },
    coordination,
    async close() {
      migrating?.stop()
      await coordination.close()
      await closeTopology(opened)
    },
  }
}

export interface PostgresOptions {
  /** Throws {@link NoStoreError} instead of creating a store. */
  readonly mustExist?: boolean | undefined
  /** Retries in the background while the server is unavailable. */
  readonly patient?: boolean | undefined
  /** What follows the scheme of the address of the read hosts. */
  readonly readFrom?: string | undefined
}

async function rollBack(target: Target, { client }: WriteLock, dataset: string, number: number) {
  const registry = registryOver(singleConnection(client), target)
  const kept = await keptRelease(registry, dataset, number)
  if (kept.release.currentSince !== null) return kept.release
  const database = kyselyOver<unknown>(singleConnection(client), error => toReadError(error, target))
  await verifyRows(database, target, kept)
  await switchCurrent(registry, target.schema, dataset, number)
  return (await keptRelease(registry, dataset, number)).release
}
