import { DamagedReleaseError, type OpenRelease, type Release, type Store } from '../store/store.ts'
import type { Importable } from './importable.ts'
import type { Snapshot } from './snapshot.ts'

/** How often the store is asked whether anything else has become current. */
const POLL_MS = 500

/** A release that is no longer served stays open this long, for the requests that still read from it. */
const RETIRE_AFTER_MS = 15_000

/** How a dataset fares, for the operator. */
export interface DatasetHealth {
  /** The release that is served; null where none is. */
  readonly serving: Release | null
  /** The release that should be served but is damaged; null where all is well. */
  readonly damaged: Release | null
  /** Since when nothing, or not what is current, is served; ISO 8601 UTC, null where all is well. */
  readonly since: string | null
}

/** The current releases of all datasets in memory, kept up with the store. */
export interface Snapshots {
  /** Loads what is current and goes on following the store. */
  start(): Promise<void>
  /** The snapshot that is served now. */
  get(dataset: string): Snapshot | undefined
  health(dataset: string): DatasetHealth
  /** Since when the store cannot be asked; ISO 8601 UTC, null while it can. */
  storeFailingSince(): string | null
  stop(): Promise<void>
}

interface Served {
  readonly snapshot: Snapshot
  readonly open: OpenRelease
}

interface Log {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Follows the store: a new current release is loaded beside the old one and then takes its place in one step. */
export function followStore(options: {
  store: Store
  datasets: readonly Importable[]
  log: Log
  now?: () => Date
  pollMs?: number
  retireAfterMs?: number
}): Snapshots {
  const { store, datasets, log, now = () => new Date() } = options
  const { pollMs = POLL_MS, retireAfterMs = RETIRE_AFTER_MS } = options
  const served = new Map<string, Served>()
  const troubles = new Map<string, { damaged: Release | null; since: string }>()
  const toldDamaged = new Set<string>()
  const retiring = new Set<() => Promise<void>>()
  let revision: number | undefined
  let failingSince: string | null = null
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> = Promise.resolve()

  async function follow(): Promise<void> {
    try {
      const seen = await store.revision()
      if (seen !== revision) {
        for (const dataset of datasets) await load(dataset)
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

  async function load(dataset: Importable): Promise<void> {
    const current = await store.current(dataset.name)
    const serving = served.get(dataset.name)
    const unchanged = serving?.snapshot.release
    if (current && unchanged?.number === current.number && unchanged.currentSince === current.currentSince)
      return
    const opened = current && (await openSound(dataset, current, unchanged))
    if (opened !== undefined) await replace(dataset.name, opened)
    const now_ = now().toISOString()
    const sound =
      current !== undefined && served.get(dataset.name)?.snapshot.release.number === current.number
    if (sound) troubles.delete(dataset.name)
    else
      troubles.set(dataset.name, {
        damaged: current ?? null,
        since: troubles.get(dataset.name)?.since ?? now_,
      })
  }

  /** Opens the current release, or where its bytes are damaged the newest older one that is sound. */
  async function openSound(dataset: Importable, current: Release, serving: Release | undefined) {
    const older = (await store.releases(dataset.name)).filter(release => release.number < current.number)
    for (const release of [current, ...older]) {
      if (release.number === serving?.number && release !== current) return undefined
      try {
        return await snapshotOf(await store.open(release, dataset.layout))
      } catch (error) {
        if (!(error instanceof DamagedReleaseError)) throw error
        tellDamaged(release, error)
      }
    }
    return undefined
  }

  /** Once: a damaged release is looked at again whenever anything is published. */
  function tellDamaged({ dataset, number }: Release, err: DamagedReleaseError): void {
    const key = `${dataset}/${number}`
    if (toldDamaged.has(key)) return
    toldDamaged.add(key)
    log.error({ dataset, release: number, err }, 'a release is damaged: it is not served')
  }

  async function replace(dataset: string, next: Served): Promise<void> {
    const previous = served.get(dataset)
    served.set(dataset, next)
    const { number, hash, rows } = next.snapshot.release
    log.info({ dataset, release: number, hash, rows }, 'serving a release')
    if (previous !== undefined) retire(previous.open)
  }

  function retire(open: OpenRelease): void {
    const close = async () => {
      clearTimeout(delay)
      retiring.delete(close)
      await open.close()
    }
    const delay = setTimeout(close, retireAfterMs)
    delay.unref()
    retiring.add(close)
  }

  function schedule(): void {
    timer = setTimeout(() => {
      polling = follow().finally(schedule)
    }, pollMs)
    timer.unref()
  }

  return {
    async start() {
      await follow()
      schedule()
    },
    get: dataset => served.get(dataset)?.snapshot,
    health(dataset) {
      const trouble = troubles.get(dataset)
      const serving = served.get(dataset)?.snapshot.release ?? null
      return { serving, damaged: trouble?.damaged ?? null, since: trouble?.since ?? null }
    },
    storeFailingSince: () => failingSince,
    async stop() {
      clearTimeout(timer)
      await polling
      clearTimeout(timer)
      await Promise.all([...retiring].map(close => close()))
      await Promise.all([...served.values()].map(({ open }) => open.close()))
    },
  }
}

async function snapshotOf(open: OpenRelease): Promise<Served> {
  if (open.table !== undefined)
    return { open, snapshot: { release: open.release, records: [], table: open.table } }
  const records = []
  for await (const record of open.records()) records.push(record)
  return { open, snapshot: { release: open.release, records } }
}
