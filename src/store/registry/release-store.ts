import { runBy } from '../../values/system/user.ts'
import type { StoreEngine } from '../engine.ts'
import { type ReleaseStore, StoreBusyError } from '../store.ts'
import { startStaging } from './build-release.ts'
import { addEntry } from './journal.ts'
import { changeCurrent, keptRelease, keptReleases, readFirstSeen, sameRelease } from './releases.ts'

/** A rollback takes milliseconds. It waits briefly for another rollback, but not for an import. */
const ROLLBACK_WAIT_MS = 1000

/** Creates the store of releases over an engine. */
export function createReleaseStore(engine: StoreEngine, keep?: string): ReleaseStore {
  const { read, insert, revision, openRelease, verifyRelease, lock } = engine
  const list = async (dataset: string) => {
    const kept = await read(registry => keptReleases(registry, dataset))
    return kept.map(({ release }) => release)
  }
  return {
    revision,
    list,
    async current(dataset) {
      return (await list(dataset)).find(({ currentSince }) => currentSince !== null)
    },
    async open(release, layout, isBeside) {
      return openRelease(await read(registry => sameRelease(registry, release)), layout, isBeside)
    },
    async verify(release) {
      await verifyRelease(await read(registry => sameRelease(registry, release)))
    },
    async stage(dataset, layout, options = {}) {
      checkName(dataset)
      return startStaging(await lock(options), insert, dataset, layout, options.signal, keep)
    },
    async makeCurrent(dataset, number, actor = runBy('rollback')) {
      const { registry, write, unlock } = await lock({ waitMs: ROLLBACK_WAIT_MS })
      try {
        const kept = await keptRelease(registry, dataset, number)
        if (kept.release.currentSince !== null) return kept.release
        await verifyRelease(kept)
        const { source, hash } = kept.release
        const event = 'rolled back'
        await write(async transaction => {
          await changeCurrent(transaction, dataset, number)
          await addEntry(transaction, { dataset, event, actor, release: number, source, hash })
        })
        return (await keptRelease(registry, dataset, number)).release
      } finally {
        await unlock()
      }
    },
    firstSeen: dataset => read(registry => readFirstSeen(registry, dataset)),
    async sweep() {
      if (engine.isReadOnly) return 0
      try {
        const { removeLeftovers, unlock } = await lock({})
        return await removeLeftovers().finally(unlock)
      } catch (error) {
        if (error instanceof StoreBusyError) return 0
        throw error
      }
    },
  }
}

/** The name of a dataset becomes the name of a folder, so it must not lead elsewhere. */
function checkName(dataset: string): void {
  if (!/^[a-z0-9][a-z0-9-]{0,99}$/.test(dataset))
    throw new RangeError(`"${dataset}" cannot name a dataset: small letters, digits and hyphens only`)
}
