import { totalmem } from 'node:os'
import type { Collection } from '../../query/collection.ts'
import {
  DamagedReleaseError,
  type OpenRelease,
  type Release,
  type ReleaseStore,
  type Store,
  StoreUnusableError,
} from '../../store/store.ts'
import type { EventLog } from '../../values/event-log.ts'
import type { MaybePromise } from '../../values/promises.ts'
import { HOUR_MS } from '../../values/time-units.ts'
import type { Importable } from '../import/importable.ts'
import { createSnapshot, type Snapshot } from './snapshot.ts'

/** The state of a dataset, for the operator. */
export interface DatasetHealth {
  /** The release that is served, or null. */
  readonly serving: Release | null
  /** The current release, if it is damaged and therefore not served. */
  readonly damaged: Release | null
  /** The current release, if it cannot be opened: no server of the store has it, or its table has the other form. */
  readonly unreachable: Release | null
  /** The time since which the current release is not served, ISO 8601 UTC; null while it is served. */
  readonly since: string | null
}

const SOUND = { damaged: null, unreachable: null, since: null }

/**
 * How often a release is served again if it verifies as sound after a query could not read it: the disk may have failed
 * for a moment. Without this limit, damage that the verification does not find would cause an endless loop.
 */
const MOST_REPORTS = 1

/** Where tables are queried: in memory, or by SQL. */
export type ServedTables = 'memory' | 'sql'

/**
 * Serves one dataset's current release, or the newest sound release if the current one is damaged. Serves nothing
 * before the first call of `follow`.
 */
export function followDataset(
  dataset: Pick<Importable, 'name' | 'layout' | 'record'>,
  options: {
    store: Store
    log: EventLog
    tables: ServedTables
    onSwitch: () => void
    /**
     * Called when a query finds the served release damaged: the release is no longer served, and the dataset must be
     * followed again.
     */
    onDamage: () => void
  },
) {
  const { store, log, tables, onSwitch, onDamage } = options
  const { name, layout, record } = dataset
  const loggedDamaged = new Set<number>()
  /** How often queries found each release damaged since the current release last changed. */
  const damageReports = new Map<number, number>()
  let followed: Release | undefined
  let served: Snapshot | undefined
  let fault: Omit<DatasetHealth, 'serving'> = SOUND

  const isServed = ({ number }: Release) => number === served?.release.number

  /** Serves the current release, else the newest sound release before it. */
  async function serveSound(current: Release): Promise<void> {
    const older = (await store.releases.list(name)).filter(({ number }) => number < current.number)
    for (const release of [current, ...older]) {
      if (release !== current && isServed(release)) return
      if ((damageReports.get(release.number) ?? 0) > MOST_REPORTS) continue
      try {
        return await serve(release)
      } catch (error) {
        if (!(error instanceof DamagedReleaseError)) throw error
        logDamaged(release, error)
      }
    }
  }

  /** Stops serving a release that a query could not read: its records may not be the published records. */
  function stopServing(release: Release, error: DamagedReleaseError): void {
    if (served?.release !== release) return
    logDamaged(release, error)
    damageReports.set(release.number, (damageReports.get(release.number) ?? 0) + 1)
    served = undefined
    if (fault === SOUND) fault = { ...SOUND, damaged: release, since: new Date().toISOString() }
    onDamage()
  }

  /** Logs a release once, although each later publication opens it again. */
  function logDamaged({ number }: Release, err: DamagedReleaseError): void {
    if (loggedDamaged.has(number)) return
    loggedDamaged.add(number)
    log.error({ event: 'release-damaged', dataset: name, release: number, err }, 'release is damaged')
  }

  /** Replaces the served release atomically, once the new one is open. */
  async function serve(release: Release): Promise<void> {
    requireTables(release)
    served = await snapshotOf(await opened(release))
    const { number, hash, rows } = release
    log.info({ event: 'release-served', dataset: name, release: number, hash, rows }, 'serving release')
    onSwitch()
  }

  /** Throws {@link StoreUnusableError} if a table is not stored in the form that queries need. */
  function requireTables({ number, bytes }: Release): void {
    const stored = bytes === null ? 'sql' : 'memory'
    if (layout.kind === 'table' && stored !== tables)
      throw new StoreUnusableError(
        `release ${number} of ${name} was imported with TABLE_ENGINE=${stored}: import it again with ${tables}, or set ${stored}`,
      )
  }

  async function opened(release: Release): Promise<OpenRelease> {
    const start = performance.now()
    const open = await store.releases.open(release, layout)
    const { bytes, isPrerendered } = open.table ?? {}
    if (bytes !== undefined)
      log.info(
        {
          event: 'table-loaded',
          dataset: name,
          release: release.number,
          bytes,
          isPrerendered,
          ms: Math.round(performance.now() - start),
        },
        'release loaded into memory',
      )
    return open
  }

  async function snapshotOf(open: OpenRelease): Promise<Snapshot> {
    const { release, table } = open
    if (table !== undefined) {
      const isVerified = release.bytes !== null
      const collection = isVerified ? table : tellingDamage(table, error => stopServing(release, error))
      return createSnapshot(release, record, { collection })
    }
    const records = []
    for await (const record of open.records()) records.push(record)
    return createSnapshot(release, record, { records })
  }

  const reopen = reopenSuperseded({
    dataset,
    store,
    load: async release => snapshotOf(await opened(release)),
  })

  return {
    served: () => served,
    /** Finds the release that is served now, or a superseded release by {@link reopenSuperseded}. */
    find(number: number, hash: string): MaybePromise<Snapshot | undefined> {
      const release = served?.release
      if (release?.number === number && release.hash.startsWith(hash)) return served
      return reopen(number, hash)
    },
    health: (): DatasetHealth => ({ serving: served?.release ?? null, ...fault }),
    /** Reads the current release from the store, and switches to it if it has changed. */
    async follow(): Promise<void> {
      const current = await store.releases.current(name)
      const serving = served?.release
      if (current && isServed(current) && serving?.currentSince === current.currentSince) return
      if (current?.currentSince !== followed?.currentSince) damageReports.clear()
      followed = current
      const since = fault.since ?? new Date().toISOString()
      try {
        if (current !== undefined) await serveSound(current)
      } catch (error) {
        fault = { ...SOUND, unreachable: current ?? null, since }
        throw error
      }
      fault = current && isServed(current) ? SOUND : { ...SOUND, damaged: current ?? null, since }
    },
  }
}

/**
 * A collection that reports when a query finds damaged rows. Rows in memory need no reports: they were verified when
 * they were loaded.
 */
function tellingDamage(collection: Collection, onDamage: (error: DamagedReleaseError) => void): Collection {
  function tell(error: unknown): never {
    if (error instanceof DamagedReleaseError) onDamage(error)
    throw error
  }
  return {
    async execute(query) {
      const result = await Promise.resolve(collection.execute(query)).catch(tell)
      return {
        ...result,
        async *batches() {
          try {
            yield* result.batches()
          } catch (error) {
            tell(error)
          }
        },
      }
    },
    count: async query => Promise.resolve(collection.count(query)).catch(tell),
  }
}

/** A release is reopened for this long after it was superseded. */
const REOPENED_MS = HOUR_MS

/** A superseded release is not reopened if it takes more than this share of the memory. */
const MOST_OF_MEMORY = 1 / 4

/** The memory of this process: the machine's memory, or the limit of the container. */
function memoryBytes(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/**
 * Returns the function that reopens superseded releases of one dataset, for readers that began before. It resolves to
 * undefined if the release was superseded too long ago, takes too much memory, or is no longer kept. Releases are
 * opened from the store, so every instance has them, even after a restart. One release is open at a time, for all
 * readers and for an hour at most: between two pages, no reader refers to it. A reader keeps the release that it has
 * begun to read.
 */
export function reopenSuperseded(options: {
  readonly dataset: Pick<Importable, 'name' | 'layout'>
  readonly store: { readonly releases: Pick<ReleaseStore, 'list'> }
  readonly now?: () => number
  readonly load: (release: Release) => Promise<Snapshot>
  readonly memory?: number
}): (number: number, hash: string) => Promise<Snapshot | undefined> {
  const { dataset, store, load, now = Date.now, memory = memoryBytes() } = options
  let opened: { readonly number: number; readonly snapshot: Promise<Snapshot> } | undefined

  async function find(number: number, hash: string): Promise<Release | undefined> {
    const releases = await store.releases.list(dataset.name)
    const found = releases.find(release => release.number === number && release.hash.startsWith(hash))
    if (found === undefined) return undefined
    // Releases are listed newest first. A rolled-back release was superseded when the current release became current.
    const next = releases[releases.indexOf(found) - 1]?.publishedAt
    const current = releases.find(({ currentSince }) => currentSince !== null)
    const since = current !== undefined && current.number < number ? current.currentSince : next
    const isRecent = since == null || now() - Date.parse(since) <= REOPENED_MS
    return isRecent ? found : undefined
  }

  function close(number: number): void {
    if (opened?.number === number) opened = undefined
  }

  return async (number, hash) => {
    const release = await find(number, hash)
    if (release === undefined || (release.bytes ?? 0) > memory * MOST_OF_MEMORY) return undefined
    if (opened?.number !== number) {
      const snapshot = load(release)
      opened = { number, snapshot }
      snapshot.catch(() => close(number))
      setTimeout(close, REOPENED_MS, number).unref()
    }
    return opened.snapshot
  }
}
