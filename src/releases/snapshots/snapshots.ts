import { type DegradedComponent, type Store, StoreBusyError } from '../../store/store.ts'
import type { EventLog } from '../../values/event-log.ts'
import { repeat } from '../../values/promises.ts'
import { messageOf } from '../../values/system/error-code.ts'
import type { Importable } from '../import/importable.ts'
import { type DatasetHealth, followDataset, type ServedTables } from './dataset-follower.ts'

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
  tables?: ServedTables
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
