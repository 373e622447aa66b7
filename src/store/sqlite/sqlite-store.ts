import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dropHistory } from '../readings/dropping.ts'
import {
  readHistoryRevision,
  readKeptHistory,
  readReadings,
  readSummaries,
} from '../readings/history-queries.ts'
import { insertObservation, readLatestObservation } from '../readings/observations.ts'
import type { Writing } from '../readings/writing.ts'
import { readRevision } from '../registry/current-release.ts'
import { readFirstSeen } from '../registry/first-seen.ts'
import { abortable } from '../staging.ts'
import { NoStoreError, type Store, StoreBusyError } from '../store.ts'
import { toStoreError } from './faults.ts'
import { registryPath, releasePath, releasesFolder } from './paths.ts'
import { numbersByJson } from './read/number-rows.ts'
import { openRelease } from './read/open-release.ts'
import { openRegistry } from './registry.ts'
import { verifyFile } from './release-file.ts'
import { keptRelease, keptReleases, switchCurrent } from './release-rows.ts'
import { addHistory } from './write/history.ts'
import { startStaging } from './write/staging.ts'
import { removeLeftovers } from './write/sweep.ts'
import { takeWriteLock } from './write/write-lock.ts'
import { writing } from './write/writing.ts'

/** A rollback takes milliseconds, so it waits briefly for another one, but not for an import. */
const ROLLBACK_WAIT_MS = 1000

/**
 * Opens the store in a folder, creating it or migrating its registry if necessary. Throws {@link StoreUnusableError}
 * and {@link NoStoreError}.
 */
export async function openSqliteStore(
  folder: string,
  { mustExist = false }: { mustExist?: boolean | undefined } = {},
): Promise<Store> {
  if (mustExist && !existsSync(registryPath(folder)))
    throw new NoStoreError(
      `there is no store in ${folder}: \`pds import <dataset> <file>\` or \`pds demo\` makes one`,
    )
  await mkdir(releasesFolder(folder), { recursive: true }).catch((error: unknown) => {
    throw toStoreError(error, folder)
  })
  const registry = await openRegistry(folder)
  const readNumbers = numbersByJson(registry)
  const inTurn: Writing = work => writing(registry, work)

  return {
    // Queries run in the calling thread.
    maxConcurrency: 1,
    degraded: () => [],
    releases: {
      revision: () => readRevision(registry),
      async list(dataset) {
        return (await keptReleases(registry, dataset)).map(({ release }) => release)
      },
      async current(dataset) {
        const kept = await keptReleases(registry, dataset)
        return kept.map(({ release }) => release).find(({ currentSince }) => currentSince !== null)
      },
      async open({ dataset, number }, layout) {
        const kept = await keptRelease(registry, dataset, number)
        return openRelease(releasePath(folder, dataset, number), kept, layout)
      },
      async stage(dataset, layout, options = {}) {
        const unlock = await takeWriteLock(folder, options)
        return abortable(await startStaging({ folder, registry, unlock }, dataset, layout), options.signal)
      },
      async makeCurrent(dataset, number) {
        const unlock = await takeWriteLock(folder, { waitMs: ROLLBACK_WAIT_MS })
        try {
          const kept = await keptRelease(registry, dataset, number)
          if (kept.release.currentSince !== null) return kept.release
          await verifyFile(releasePath(folder, dataset, number), kept)
          await switchCurrent(registry, dataset, number)
          return (await keptRelease(registry, dataset, number)).release
        } finally {
          unlock()
        }
      },
      firstSeen: (dataset, ids) => readFirstSeen(registry, dataset, ids),
      async sweep() {
        try {
          const unlock = await takeWriteLock(folder)
          return await removeLeftovers(folder, registry).finally(unlock)
        } catch (error) {
          if (error instanceof StoreBusyError) return 0
          throw error
        }
      },
    },
    readings: {
      saveObservation: observation => insertObservation(inTurn, observation),
      latestObservation: () => readLatestObservation(registry),
      saveHistory: readings => addHistory(registry, readings),
      historyRevision: () => readHistoryRevision(registry),
      keptHistory: () => readKeptHistory(registry),
      readings: range => readReadings(registry, range, readNumbers),
      summaries: (range, width) => readSummaries(registry, range, width, readNumbers),
      dropHistory: before => dropHistory(inTurn, before),
    },
    close: () => registry.destroy(),
  }
}
