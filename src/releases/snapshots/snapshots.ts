import type { Store, StoreTrouble } from '../../store/store.ts'
import type { Importable } from '../import/importable.ts'
import { type DatasetHealth, type FollowerLog, followDataset, type LoadTable } from './dataset-follower.ts'
import { createRetirement } from './retirement.ts'
import type { Snapshot } from './snapshot.ts'
import { type StoreFailure, watchStore } from './store-watch.ts'

/** How often the store is asked whether anything else has become current, and how often where it tells by itself. */
const POLL_MS = 500
const CALM_POLL_MS = 2000

/** Longer than any request takes. */
const RETIRE_AFTER_MS = 15_000

/** The current releases of all datasets in memory, kept up with the store. */
export interface Snapshots {
  /** Loads what is current and goes on following the store. */
  start(): Promise<void>
  /** The snapshot that is served now. */
  get(dataset: string): Snapshot | undefined
  health(dataset: string): DatasetHealth
  /** Calls back with the dataset's name after each switch to another release. */
  onSwitch(listener: (dataset: string) => void): void
  /** Since when the store cannot be read, and why; null while it can. */
  storeFailing(): StoreFailure | null
  /** What of the store cannot be reached, though it may be read without. */
  storeTroubles(): readonly StoreTrouble[]
  /** Calls back each time that the store can be read again. */
  onStoreReturn(listener: () => void): void
  stop(): Promise<void>
}

/** Follows the store: a new current release is loaded beside the old one and then takes its place in one step. */
export function followStore(options: {
  store: Store
  datasets: readonly Pick<Importable, 'name' | 'layout'>[]
  log: FollowerLog
  loadTable: LoadTable
  now?: () => Date
  pollMs?: number
  calmPollMs?: number
  retireAfterMs?: number
}): Snapshots {
  const { store, datasets, log, loadTable, now = () => new Date() } = options
  const { pollMs = POLL_MS, calmPollMs = CALM_POLL_MS, retireAfterMs = RETIRE_AFTER_MS } = options
  const retirement = createRetirement(retireAfterMs)
  const listeners: ((dataset: string) => void)[] = []
  const followers = new Map(
    datasets.map(dataset => {
      const onSwitch = () => {
        for (const listener of listeners) listener(dataset.name)
      }
      const follower = followDataset(dataset, { store, log, now, retirement, loadTable, onSwitch })
      return [dataset.name, follower]
    }),
  )
  const health = watchStore({ store, log, now })
  let revision: number | undefined
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> = Promise.resolve()
  let isNextWaiting = false
  let forget = () => {}

  async function poll(): Promise<void> {
    try {
      const seen = await store.revision()
      if (seen !== revision) {
        await followAll()
        revision = seen
      }
      health.answered()
    } catch (error) {
      health.failed(error)
    }
  }

  /** One that cannot be had keeps no other back. */
  async function followAll(): Promise<void> {
    const failures: unknown[] = []
    for (const follower of followers.values())
      await follower.follow().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }

  /** What is told while one is under way may have come too late for it, so another follows, however often it is told. */
  function pollAndSchedule(): Promise<void> {
    if (isNextWaiting) return polling
    isNextWaiting = true
    polling = polling
      .then(() => {
        isNextWaiting = false
        return poll()
      })
      .finally(schedule)
    return polling
  }

  function schedule(): void {
    clearTimeout(timer)
    const isCalm = health.failing() === null && store.instances?.hears() === true
    timer = setTimeout(pollAndSchedule, isCalm ? calmPollMs : pollMs)
    timer.unref()
  }

  return {
    async start() {
      await pollAndSchedule()
      forget =
        store.instances?.onNews(about => {
          if (about === 'releases') void pollAndSchedule()
        }) ?? forget
    },
    get: dataset => followers.get(dataset)?.snapshot(),
    health: dataset =>
      followers.get(dataset)?.health() ?? { serving: null, damaged: null, missed: null, since: null },
    onSwitch: listener => listeners.push(listener),
    storeFailing: health.failing,
    storeTroubles: health.troubles,
    onStoreReturn: health.onReturn,
    async stop() {
      forget()
      clearTimeout(timer)
      await polling
      clearTimeout(timer)
      await retirement.end()
      for (const follower of followers.values()) await follower.close()
    },
  }
}
