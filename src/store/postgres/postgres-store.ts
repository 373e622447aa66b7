import { readRevision } from '../current-release.ts'
import { readFirstSeen } from '../first-seen.ts'
import { addObservation, readLatestObservation } from '../readings/observations.ts'
import { type Store, StoreBusyError } from '../store.ts'
import { readAddress, type Target } from './address.ts'
import { openConnections } from './connections.ts'
import { kyselyOver, only } from './dialect.ts'
import { explainReading, mayNotWrite } from './faults.ts'
import { addHistory, dropOldHistory } from './history.ts'
import { readHistoryRevision, readKeptHistory, readReadings, readSummaries } from './history-queries.ts'
import { migrate } from './migrate.ts'
import { openRelease, verifyRows } from './open-release.ts'
import { registryOver } from './registry.ts'
import { keptRelease, keptReleases, switchCurrent } from './release-rows.ts'
import { dropLeftovers } from './release-tables.ts'
import { startStaging } from './staging.ts'
import { takeWriteLock, type WriteLock } from './write-lock.ts'
import { writingReadings } from './writing-readings.ts'

/** Going back takes milliseconds, so it waits a little for another that does the same, and not for an import. */
const ROLLBACK_WAIT_MS = 1000
/** Only keeping readings is done over them, one observation at a time. */
const WRITING = { readOnly: false, size: 2 }

/**
 * Opens the store in a database, bringing its schema up to date, and making it if need be. The address is what follows
 * the scheme. Throws {@link StoreUnusableError} and {@link NoStoreError}.
 */
export async function openPostgresStore(
  address: string,
  { mustExist = false }: { mustExist?: boolean } = {},
): Promise<Store> {
  const target = readAddress(address)
  await migrate(target, { mustExist })
  const reading = openConnections(target, { readOnly: true, size: target.poolSize })
  const writing = openConnections(target, WRITING)
  const registry = registryOver(reading, target)
  const inTurn = writingReadings(registryOver(writing, target), target.schema)

  return {
    revision: () => readRevision(registry),
    async releases(dataset) {
      return (await keptReleases(registry, dataset)).map(({ release }) => release)
    },
    async current(dataset) {
      const kept = await keptReleases(registry, dataset)
      return kept.map(({ release }) => release).find(({ currentSince }) => currentSince !== null)
    },
    async open({ dataset, number }, layout) {
      return openRelease(reading, target, await keptRelease(registry, dataset, number), layout)
    },
    async stage(dataset, layout, options) {
      return startStaging(target, await takeWriteLock(target, options), dataset, layout)
    },
    async makeCurrent(dataset, number) {
      const lock = await takeWriteLock(target, { waitMs: ROLLBACK_WAIT_MS })
      try {
        return await goBack(target, lock, dataset, number)
      } finally {
        await lock.release()
      }
    },
    firstSeen: (dataset, ids) => readFirstSeen(registry, dataset, ids),
    saveObservation: observation => addObservation(inTurn, observation),
    latestObservation: () => readLatestObservation(registry),
    saveHistory: readings => addHistory(target, readings),
    historyRevision: () => readHistoryRevision(registry),
    keptHistory: () => readKeptHistory(registry, target.schema),
    readings: range => readReadings(registry, range),
    summaries: (range, width) => readSummaries(registry, range, width),
    dropHistory: before => dropOldHistory(target, before),
    async sweep() {
      try {
        const lock = await takeWriteLock(target)
        const own = registryOver(only(lock.client), target)
        return await dropLeftovers(own, target.schema).finally(lock.release)
      } catch (error) {
        if (error instanceof StoreBusyError || mayNotWrite(error)) return 0
        throw error
      }
    },
    async close() {
      await Promise.all([reading.end(), writing.end()])
    },
  }
}

async function goBack(target: Target, { client }: WriteLock, dataset: string, number: number) {
  const registry = registryOver(only(client), target)
  const kept = await keptRelease(registry, dataset, number)
  if (kept.release.currentSince !== null) return kept.release
  const database = kyselyOver<unknown>(only(client), error => explainReading(error, target))
  await verifyRows(database, target, kept)
  await switchCurrent(registry, dataset, number)
  return (await keptRelease(registry, dataset, number)).release
}
