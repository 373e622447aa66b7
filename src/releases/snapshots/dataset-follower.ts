import type { Collection } from '../../query/collection.ts'
import type { TableLayout } from '../../store/layout.ts'
import { DamagedReleaseError, type OpenRelease, type Release, type Store } from '../../store/store.ts'
import type { Importable } from '../import/importable.ts'
import type { LeasedRelease, Leases } from './leases.ts'
import { createSnapshot, type Snapshot } from './snapshot.ts'

/** The state of a dataset, for the operator. */
export interface DatasetHealth {
  /** The release that is served; null where none is. */
  readonly serving: Release | null
  /** The current release, if it is damaged and therefore not served. */
  readonly damaged: Release | null
  /** The current release, if no server of the store has it. */
  readonly unreachable: Release | null
  /** Since when the current release is not served; ISO 8601 UTC, null where it is. */
  readonly since: string | null
}

export interface FollowerLog {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Loads the collection that executes queries on an open release. */
export type LoadTable = (open: OpenRelease, layout: TableLayout) => Promise<Collection>

/** Serves one dataset's current release, or the newest sound one where that is damaged. */
export interface DatasetFollower {
  /** The release that is served now. */
  served(): LeasedRelease | undefined
  health(): DatasetHealth
  /** Reads the current release from the store, and switches to it if it is another one. */
  follow(): Promise<void>
}

/** Follows a dataset in the store; serves nothing before the first {@link DatasetFollower.follow}. */
export function followDataset(
  dataset: Pick<Importable, 'name' | 'layout' | 'record'>,
  options: {
    store: Store
    log: FollowerLog
    now: () => Date
    leases: Leases
    loadTable: LoadTable
    onSwitch: () => void
  },
): DatasetFollower {
  const { store, log, now, leases, loadTable, onSwitch } = options
  const { name, layout, record } = dataset
  const loggedDamaged = new Set<number>()
  let served: LeasedRelease | undefined
  let fault: Pick<DatasetHealth, 'damaged' | 'unreachable' | 'since'> | undefined

  const isServed = ({ number }: Release) => number === served?.snapshot.release.number

  /** Opens the current release, else the newest sound one before it; undefined if that is served already. */
  async function openSound(current: Release): Promise<OpenRelease | undefined> {
    const older = (await store.releases.list(name)).filter(({ number }) => number < current.number)
    for (const release of [current, ...older]) {
      if (release !== current && isServed(release)) return undefined
      try {
        return await store.releases.open(release, layout)
      } catch (error) {
        if (!(error instanceof DamagedReleaseError)) throw error
        logDamaged(release, error)
      }
    }
    return undefined
  }

  /** Logs a release once, although each later publication opens it again. */
  function logDamaged({ number }: Release, err: DamagedReleaseError): void {
    if (loggedDamaged.has(number)) return
    loggedDamaged.add(number)
    log.error({ event: 'release-damaged', dataset: name, release: number, err }, 'release is damaged')
  }

  /** Replaces the served release atomically, once the new one is loaded. */
  async function serve(open: OpenRelease): Promise<void> {
    const snapshot = await load(open).catch(async (error: unknown) => {
      await open.close()
      throw error
    })
    const previous = served
    served = leases.add(snapshot, () => open.close())
    previous?.supersede()
    const { number, hash, rows } = open.release
    log.info({ event: 'release-served', dataset: name, release: number, hash, rows }, 'serving release')
    onSwitch()
  }

  async function load(open: OpenRelease): Promise<Snapshot> {
    const { release } = open
    if (layout.kind === 'table')
      return createSnapshot(release, record, { collection: await loadTable(open, layout) })
    const records = []
    for await (const record of open.records()) records.push(record)
    return createSnapshot(release, record, { records })
  }

  return {
    served: () => served,
    health: () => ({
      serving: served?.snapshot.release ?? null,
      ...(fault ?? { damaged: null, unreachable: null, since: null }),
    }),
    async follow() {
      const current = await store.releases.current(name)
      const serving = served?.snapshot.release
      if (current && isServed(current) && serving?.currentSince === current.currentSince) return
      const since = fault?.since ?? now().toISOString()
      try {
        const opened = current && (await openSound(current))
        if (opened !== undefined) await serve(opened)
      } catch (error) {
        fault = { damaged: null, unreachable: current ?? null, since }
        throw error
      }
      fault =
        current && isServed(current) ? undefined : { damaged: current ?? null, unreachable: null, since }
    },
  }
}
