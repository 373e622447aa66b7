import type { Collection } from '../../query/query.ts'
import type { TableOptions } from '../../store/engine.ts'
import {
  DamagedReleaseError,
  type DegradedComponent,
  type OpenRelease,
  type Release,
  type ReleaseStore,
  type Store,
  StoreBusyError,
  StoreUnusableError,
} from '../../store/store.ts'
import type { EventLog } from '../../values/event-log.ts'
import { type MaybePromise, repeat } from '../../values/promises.ts'
import { messageOf } from '../../values/system/error-code.ts'
import { memoryBytes } from '../../values/system/machine.ts'
import { HOUR_MS } from '../../values/time-units.ts'
import type { Importable } from '../import/importable.ts'
import { createSnapshot, type Snapshot } from './snapshot.ts'

/** The interval of polling the store for a new current release, without and with notifications. */
const POLL_MS = 500
const NOTIFIED_POLL_MS = 2000

const UNKNOWN: DatasetHealth = { serving: null, damaged: null, unreachable: null, since: null }

/** The current releases of all datasets, loaded, and kept up to date with the store. */
export type Snapshots = ReturnType<typeof followStore>

/** Follows the store: a new current release is loaded beside the old release, and then replaces it atomically. */
export function followStore(options: {
  store: Store
  datasets: readonly Pick<Importable, 'name' | 'layout' | 'record'>[]
  log: EventLog
  /** In memory if absent. */
  tables?: TableOptions['engine']
  pollMs?: number
  notifiedPollMs?: number
}) {
  const { store, datasets, log, tables = 'memory' } = options
  const { pollMs = POLL_MS, notifiedPollMs = NOTIFIED_POLL_MS } = options
  const listeners: ((dataset: string) => void)[] = []
  const followers = new Map(
    datasets.map(dataset => {
      const onSwitch = () => {
        for (const listener of listeners) listener(dataset.name)
      }
      const follower = { store, log, tables, onSwitch, onDamage: followAgain }
      return [dataset.name, followDataset(dataset, follower)]
    }),
  )
  const health = createStoreHealth(store, log)
  let revision: number | undefined
  let started: Promise<void> | undefined
  let unsubscribe = () => {}

  async function poll(): Promise<void> {
    try {
      const found = await store.releases.revision()
      if (found !== revision) {
        // Set before following: damage that is found in the meantime makes it undefined again.
        revision = found
        await followAll()
      }
      health.recordSuccess()
    } catch (error) {
      revision = undefined
      health.recordFailure(error)
    }
  }

  /** Follows the datasets concurrently, so that a large or failing dataset does not delay the others. */
  async function followAll(): Promise<void> {
    const outcomes = await Promise.allSettled([...followers.values()].map(follower => follower.follow()))
    const failed = outcomes.find(outcome => outcome.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  const isNotified = () => health.failure() === null && store.coordination?.isConnected() === true
  const polling = repeat(poll, () => (isNotified() ? notifiedPollMs : pollMs))

  /** Follows all datasets now, even if the store has not changed. */
  function followAgain(): void {
    revision = undefined
    void polling.once()
  }

  async function start(): Promise<void> {
    await polling.start()
    unsubscribe =
      store.coordination?.subscribe(about => {
        if (about === 'releases') void polling.once()
      }) ?? unsubscribe
  }

  return {
    /** Loads the current releases and begins to follow the store, once; further calls wait for the same start. */
    start: () => (started ??= start()),
    /** The current snapshot. It never changes, so a reader may keep it while newer releases are published. */
    get: (dataset: string) => followers.get(dataset)?.served(),
    /**
     * The release with this number and this beginning of its hash, if it is the current release, or was superseded
     * within the last hour and is still in the store.
     */
    find: (dataset: string, number: number, hash: string) => followers.get(dataset)?.find(number, hash),
    health: (dataset: string) => followers.get(dataset)?.health() ?? UNKNOWN,
    /** Calls the listener with the dataset's name after each switch to another release. */
    onSwitch: (listener: (dataset: string) => void) => void listeners.push(listener),
    /** Why the store cannot be read, and since when; null while it can. */
    storeFailure: health.failure,
    /** The unavailable servers of a store that can still be read. */
    degradedComponents: () => store.degraded(),
    /** Calls the listener each time the store can be read again. */
    onStoreRecovery: health.onRecovery,
    /** Stops following the store. */
    async stop(): Promise<void> {
      unsubscribe()
      await polling.stop()
    },
  }
}

/** A store that is overloaded for longer than this counts as unavailable. */
const BUSY_MS = 10_000

/** Keeps the state of the store for the operator, healthy at first, and logs each change once. */
function createStoreHealth(store: Pick<Store, 'degraded'>, log: EventLog) {
  const listeners: (() => void)[] = []
  /** Since when (ISO 8601 UTC) and why the store cannot be read, for the operator. */
  let failure: { readonly since: string; readonly detail: string } | null = null
  let busySince: number | undefined
  /** By component and time: two servers may fail with the same detail. */
  let logged = new Map<string, DegradedComponent>()

  function logDegradation(): void {
    const current = new Map(store.degraded().map(trouble => [trouble.part + trouble.since, trouble]))
    for (const [key, { part, detail }] of current)
      if (!logged.has(key))
        log.error({ event: 'store-server-unavailable', part, detail }, 'a server of the store is unavailable')
    for (const [key, { part, since }] of logged)
      if (!current.has(key))
        log.info({ event: 'store-server-available', part, since }, 'a server of the store is available again')
    logged = current
  }

  return {
    recordFailure(error: unknown): void {
      if (error instanceof StoreBusyError && failure === null) {
        busySince ??= Date.now()
        if (Date.now() - busySince < BUSY_MS) return
      }
      const detail = messageOf(error)
      if (failure === null)
        log.error(
          { event: 'store-unavailable', err: error },
          'the store cannot be read; the service goes on with the loaded releases',
        )
      failure = { since: failure?.since ?? new Date().toISOString(), detail }
    },
    recordSuccess(): void {
      busySince = undefined
      logDegradation()
      if (failure === null) return
      log.info({ event: 'store-available', failingSince: failure.since }, 'the store can be read again')
      failure = null
      for (const listener of listeners) listener()
    },
    /** Null while the store can be read. */
    failure: () => failure,
    /** Calls the listener each time the store can be read again. */
    onRecovery: (listener: () => void) => void listeners.push(listener),
  }
}

/** The state of a dataset, for the operator. */
interface DatasetHealth {
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

/**
 * Serves one dataset's current release, or the newest sound release if the current one is damaged. Serves nothing
 * before the first call of `follow`.
 */
function followDataset(
  dataset: Pick<Importable, 'name' | 'layout' | 'record'>,
  options: {
    store: Store
    log: EventLog
    tables: TableOptions['engine']
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
    const open = await store.releases.open(release, layout, served !== undefined)
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
