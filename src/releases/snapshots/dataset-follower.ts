import type { Collection } from '../../query/collection.ts'
import type { TableLayout } from '../../store/layout.ts'
import { DamagedReleaseError, type OpenRelease, type Release, type Store } from '../../store/store.ts'
import type { Importable } from '../import/importable.ts'
import type { Retirement } from './retirement.ts'
import type { Snapshot } from './snapshot.ts'

/** How a dataset fares, for the operator. */
export interface DatasetHealth {
  /** The release that is served; null where none is. */
  readonly serving: Release | null
  /** The release that should be served but is damaged; null where all is well. */
  readonly damaged: Release | null
  /** The release that is known to be current but is not to be had from any server; null where all is well. */
  readonly missed: Release | null
  /** Since when nothing, or not what is current, is served; ISO 8601 UTC, null where all is well. */
  readonly since: string | null
}

export interface FollowerLog {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Gives what the questions about an open release are answered by. */
export type LoadTable = (open: OpenRelease, layout: TableLayout) => Promise<Collection>

/** Serves one dataset's current release, or the newest sound one where that is damaged. */
export interface DatasetFollower {
  snapshot(): Snapshot | undefined
  health(): DatasetHealth
  /** Looks at what is current in the store, and if that is another release serves it from now on. */
  follow(): Promise<void>
  close(): Promise<void>
}

export function followDataset(
  dataset: Pick<Importable, 'name' | 'layout'>,
  options: {
    store: Store
    log: FollowerLog
    now: () => Date
    retirement: Retirement
    loadTable: LoadTable
    onSwitch: () => void
  },
): DatasetFollower {
  const { store, log, now, retirement, loadTable, onSwitch } = options
  const { name, layout } = dataset
  const toldDamaged = new Set<number>()
  let served: { snapshot: Snapshot; open: OpenRelease } | undefined
  let trouble: { damaged: Release | null; missed: Release | null; since: string } | undefined

  /** Opens the current release, else the newest sound one before it; nothing if that is served already. */
  async function openSound(current: Release): Promise<OpenRelease | undefined> {
    const older = (await store.releases(name)).filter(({ number }) => number < current.number)
    for (const release of [current, ...older]) {
      if (release !== current && release.number === served?.snapshot.release.number) return undefined
      try {
        return await store.open(release, layout)
      } catch (error) {
        if (!(error instanceof DamagedReleaseError)) throw error
        tellDamaged(release, error)
      }
    }
    return undefined
  }

  /** Once: a damaged release is looked at again whenever anything is published. */
  function tellDamaged({ number }: Release, err: DamagedReleaseError): void {
    if (toldDamaged.has(number)) return
    toldDamaged.add(number)
    log.error({ dataset: name, release: number, err }, 'a release is damaged: it is not served')
  }

  async function serve(open: OpenRelease): Promise<void> {
    const previous = served
    served = { open, snapshot: await snapshotOf(open).catch(closing(open)) }
    const { number, hash, rows } = open.release
    log.info({ dataset: name, release: number, hash, rows }, 'serving a release')
    if (previous !== undefined) retirement.add(previous.open)
    onSwitch()
  }

  /** The old release is served until the new one is in memory. */
  async function snapshotOf(open: OpenRelease): Promise<Snapshot> {
    const { release } = open
    if (layout.kind === 'table') return { release, records: [], table: await loadTable(open, layout) }
    const records = []
    for await (const record of open.records()) records.push(record)
    return { release, records }
  }

  const closing = (open: OpenRelease) => async (error: unknown) => {
    await open.close()
    throw error
  }

  return {
    snapshot: () => served?.snapshot,
    health: () => ({
      serving: served?.snapshot.release ?? null,
      damaged: trouble?.damaged ?? null,
      missed: trouble?.missed ?? null,
      since: trouble?.since ?? null,
    }),
    async follow() {
      const current = await store.current(name)
      const serving = served?.snapshot.release
      const unchanged = serving?.number === current?.number && serving?.currentSince === current?.currentSince
      if (current !== undefined && unchanged) return
      try {
        const opened = current && (await openSound(current))
        if (opened !== undefined) await serve(opened)
      } catch (error) {
        trouble = { damaged: null, missed: current ?? null, since: trouble?.since ?? now().toISOString() }
        throw error
      }
      const isCurrent = current !== undefined && served?.snapshot.release.number === current.number
      trouble = isCurrent
        ? undefined
        : { damaged: current ?? null, missed: null, since: trouble?.since ?? now().toISOString() }
    },
    async close() {
      await served?.open.close()
    },
  }
}
