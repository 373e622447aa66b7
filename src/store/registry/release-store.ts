import type { Layout } from '../../query/layout.ts'
import { type OpenRelease, type ReleaseStore, type StageOptions, StoreBusyError } from '../store.ts'
import { readFirstSeen } from './first-seen.ts'
import { changeCurrent, type KeptRelease, keptRelease, keptReleases, sameRelease } from './releases.ts'
import { startStaging } from './staging.ts'
import type { ReadRegistry } from './tables.ts'
import type { ReleaseWriter } from './writer.ts'

/** What a store of releases needs of an engine. */
export interface ReleaseEngine {
  readonly read: ReadRegistry
  /** A number that differs whenever any current release does. */
  revision(): Promise<number>
  open(kept: KeptRelease, layout: Layout): Promise<OpenRelease>
  /** Throws {@link DamagedReleaseError} unless the content is what was published. */
  verify(kept: KeptRelease): Promise<void>
  /** Acquires the lock on writing releases. Throws {@link StoreBusyError} on timeout. */
  lock(options: StageOptions): Promise<ReleaseWriter>
}

/** A rollback takes milliseconds, so it waits briefly for another one, but not for an import. */
const ROLLBACK_WAIT_MS = 1000

/** Creates the store of releases over an engine. */
export function createReleaseStore({ read, revision, open, verify, lock }: ReleaseEngine): ReleaseStore {
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
    async open(release, layout) {
      return open(await read(registry => sameRelease(registry, release)), layout)
    },
    async verify(release) {
      await verify(await read(registry => sameRelease(registry, release)))
    },
    async stage(dataset, layout, options = {}) {
      checkName(dataset)
      return startStaging(await lock(options), dataset, layout, options.signal)
    },
    async makeCurrent(dataset, number) {
      const { registry, write, unlock } = await lock({ waitMs: ROLLBACK_WAIT_MS })
      try {
        const kept = await keptRelease(registry, dataset, number)
        if (kept.release.currentSince !== null) return kept.release
        await verify(kept)
        await write(transaction => changeCurrent(transaction, dataset, number))
        return (await keptRelease(registry, dataset, number)).release
      } finally {
        await unlock()
      }
    },
    firstSeen: (dataset, ids) => read(registry => readFirstSeen(registry, dataset, ids)),
    async sweep() {
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

/** Names of datasets become names of folders: they must not lead elsewhere. */
function checkName(dataset: string): void {
  if (!/^[a-z0-9][a-z0-9-]{0,99}$/.test(dataset))
    throw new RangeError(`"${dataset}" cannot name a dataset: small letters, digits and hyphens only`)
}
