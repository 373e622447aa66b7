import type { Collection } from '../../query/collection.ts'
import type { TableLayout } from '../../store/layout.ts'
import { DamagedReleaseError, type OpenRelease, type Release, type Store } from '../../store/store.ts'
import type { MaybePromise } from '../../values/promises.ts'
import type { Importable } from '../import/importable.ts'
import type { Lease, LeasedRelease, Leases } from './leases.ts'
import { createSnapshot, type Snapshot } from './snapshot.ts'
import { reopenSuperseded } from './superseded-releases.ts'

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

/**
 * A release that verifies as sound after a query could not read it is served again this often: the disk may have failed
 * for a moment, while damage that the verification does not find would end in an endless loop.
 */
const MOST_REPORTS = 1

/** Loads the collection that executes queries on an open release. */
export type LoadTable = (open: OpenRelease, layout: TableLayout) => Promise<Collection>

/** Serves one dataset's current release, or the newest sound one where that is damaged. */
export interface DatasetFollower {
  /** The release that is served now. */
  served(): LeasedRelease | undefined
  /** As {@link SupersededReleases.acquire}, and the release that is served now. */
  acquireRelease(number: number, hash: string): MaybePromise<Lease | undefined>
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
    /** Called when a query finds the served release damaged: it is served no longer, and the dataset must be followed. */
    onDamage: () => void
  },
): DatasetFollower {
  const { store, log, now, leases, loadTable, onSwitch, onDamage } = options
  const { name, layout, record } = dataset
  const loggedDamaged = new Set<number>()
  /** How often queries found each release damaged since another became current. */
  const damageReports = new Map<number, number>()
  let followed: Release | undefined
  let served: LeasedRelease | undefined
  let fault: Pick<DatasetHealth, 'damaged' | 'unreachable' | 'since'> | undefined

  const isServed = ({ number }: Release) => number === served?.snapshot.release.number

  /** Serves the current release, else the newest sound one before it. */
  async function serveSound(current: Release): Promise<void> {
    const older = (await store.releases.list(name)).filter(({ number }) => number < current.number)
    for (const release of [current, ...older]) {
      if (release !== current && isServed(release)) return
      if ((damageReports.get(release.number) ?? 0) > MOST_REPORTS) continue
      try {
        return await serve(await store.releases.open(release, layout))
      } catch (error) {
        if (!(error instanceof DamagedReleaseError)) throw error
        logDamaged(release, error)
      }
    }
  }

  /** Stops serving a release that a query could not read, for it may hold other records than were published. */
  function stopServing(damaged: LeasedRelease, error: DamagedReleaseError): void {
    if (served !== damaged) return
    const { release } = damaged.snapshot
    logDamaged(release, error)
    damageReports.set(release.number, (damageReports.get(release.number) ?? 0) + 1)
    served = undefined
    fault ??= { damaged: release, unreachable: null, since: now().toISOString() }
    damaged.revoke('it is damaged')
    onDamage()
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
    const added = leases.add(
      snapshot,
      () => open.close(),
      error => stopServing(added, error),
    )
    served = added
    previous?.supersede()
    const { number, hash, rows } = open.release
    log.info({ event: 'release-served', dataset: name, release: number, hash, rows }, 'serving release')
    onSwitch()
  }

  async function load(open: OpenRelease, openTable: LoadTable = loadTable): Promise<Snapshot> {
    const { release } = open
    if (layout.kind === 'table')
      return createSnapshot(release, record, { collection: await openTable(open, layout) })
    const records = []
    for await (const record of open.records()) records.push(record)
    return createSnapshot(release, record, { records })
  }

  const superseded = reopenSuperseded({
    ...{ dataset, store, leases, now },
    async load(release) {
      const open = await store.releases.open(release, layout)
      // In SQL: loading it into memory again would cost more than a reader's last pages.
      return { snapshot: await load(open, inSql), close: () => open.close() }
    },
  })

  return {
    served: () => served,
    acquireRelease(number, hash) {
      const release = served?.snapshot.release
      if (release?.number === number && release.hash.startsWith(hash)) return served?.acquire()
      return superseded.acquire(number, hash)
    },
    health: () => ({
      serving: served?.snapshot.release ?? null,
      ...(fault ?? { damaged: null, unreachable: null, since: null }),
    }),
    async follow() {
      const current = await store.releases.current(name)
      const serving = served?.snapshot.release
      if (current && isServed(current) && serving?.currentSince === current.currentSince) return
      if (current?.currentSince !== followed?.currentSince) damageReports.clear()
      followed = current
      const since = fault?.since ?? now().toISOString()
      try {
        if (current !== undefined) await serveSound(current)
      } catch (error) {
        fault = { damaged: null, unreachable: current ?? null, since }
        throw error
      }
      fault =
        current && isServed(current) ? undefined : { damaged: current ?? null, unreachable: null, since }
    },
  }
}

async function inSql({ release, table }: OpenRelease): Promise<Collection> {
  if (table === undefined) throw new TypeError(`${release.dataset} is not a table`)
  return table
}
