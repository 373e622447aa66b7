import type { Store } from '../store/store.ts'
import { type DatasetHealth, type FollowerLog, followDataset, type LoadTable } from './dataset-follower.ts'
import type { Importable } from './importable.ts'
import { createRetirement } from './retirement.ts'
import type { Snapshot } from './snapshot.ts'

/** How often the store is asked whether anything else has become current. */
const POLL_MS = 500

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
  /** Since when the store cannot be asked; ISO 8601 UTC, null while it can. */
  storeFailingSince(): string | null
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
  retireAfterMs?: number
}): Snapshots {
  const { store, datasets, log, loadTable, now = () => new Date() } = options
  const { pollMs = POLL_MS, retireAfterMs = RETIRE_AFTER_MS } = options
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
  let revision: number | undefined
  let failingSince: string | null = null
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> = Promise.resolve()

  async function poll(): Promise<void> {
    try {
      const seen = await store.revision()
      if (seen !== revision) {
        for (const follower of followers.values()) await follower.follow()
        revision = seen
      }
      if (failingSince !== null) log.info({ failingSince }, 'the store can be read again')
      failingSince = null
    } catch (error) {
      if (failingSince === null)
        log.error({ err: error }, 'the store cannot be read: what is loaded is served on')
      failingSince ??= now().toISOString()
    }
  }

  function schedule(): void {
    timer = setTimeout(() => {
      polling = poll().finally(schedule)
    }, pollMs)
    timer.unref()
  }

  return {
    async start() {
      await poll()
      schedule()
    },
    get: dataset => followers.get(dataset)?.snapshot(),
    health: dataset => followers.get(dataset)?.health() ?? { serving: null, damaged: null, since: null },
    onSwitch: listener => listeners.push(listener),
    storeFailingSince: () => failingSince,
    async stop() {
      clearTimeout(timer)
      await polling
      clearTimeout(timer)
      await retirement.end()
      for (const follower of followers.values()) await follower.close()
    },
  }
}
