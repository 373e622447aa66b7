import { findOnDisk } from '../notifications/disk-watch.ts'
import { findInFeed } from '../notifications/feed-watch.ts'
import type { TellFindings } from '../notifications/incidents.ts'
import { findInRelease } from '../notifications/release-watch.ts'
import { findInSource } from '../notifications/source-watch.ts'
import type { ParkingService } from '../parking/service.ts'
import type { SourceFollower } from '../releases/schedule/follow-sources.ts'
import type { Snapshots } from '../releases/snapshots/snapshots.ts'
import type { Disk, Store } from '../store/store.ts'

/** Looks at the feed, the sources, the releases and the disk every minute, and tells what needs a person. */
export interface Watch {
  /** Looks now, and every minute from then on. */
  start(): void
  /** Looks now: something has happened. */
  look(): void
  /** The store's disk as last seen; undefined where that is another machine's. */
  disk(): Disk | undefined
  stop(): void
}

export interface WatchOptions {
  readonly store: Pick<Store, 'disk' | 'leases'>
  readonly datasets: readonly { readonly name: string }[]
  readonly snapshots: Pick<Snapshots, 'health'>
  readonly parking: Pick<ParkingService, 'health'>
  /** Absent where none are followed. */
  readonly sources?: Pick<SourceFollower, 'status' | 'isLeading'> | undefined
  /** The hours for which a source may fail. */
  readonly afterHours: number
  /** Absent where nobody is told. */
  readonly tell?: TellFindings | undefined
  readonly now?: () => Date
}

const EVERY_MS = 60_000
const LEASE_MS = 2 * EVERY_MS

/** Creates a watch that looks at nothing before it starts. */
export function createWatch(options: WatchOptions): Watch {
  const { store, datasets, snapshots, parking, sources, now = () => new Date() } = options
  const { tell = async () => {} } = options
  let disk: Disk | undefined
  let isLookingAtDisk = false
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    const releases = datasets.map(({ name }) => findInRelease(name, snapshots.health(name)))
    void tell([...releases, ...findInSources()])
    void lookAtFeed()
    void lookAtDisk()
  }

  /** Processes that share a folder poll the feed each; the one with the lease speaks of it. */
  async function lookAtFeed(): Promise<void> {
    const health = parking.health()
    const lease =
      health.role === undefined
        ? store.leases?.acquireLease('feed', LEASE_MS).catch(() => undefined)
        : undefined
    const role = (await lease)?.leading === false ? 'following' : health.role
    await tell([findInFeed({ ...health, ...(role && { role }) }, now())])
  }

  /** Only the instance that follows the sources speaks of them. */
  function findInSources() {
    const followed = sources?.isLeading() ? sources.status() : []
    return followed.flatMap(({ dataset, address: source, state }) =>
      state === undefined ? [] : [findInSource({ dataset, source, afterHours: options.afterHours }, state)],
    )
  }

  async function lookAtDisk(): Promise<void> {
    // A disk of the network may not answer for long.
    if (isLookingAtDisk) return
    isLookingAtDisk = true
    disk = await store.disk?.().catch(() => undefined)
    isLookingAtDisk = false
    if (disk !== undefined) void tell([findOnDisk(disk, now())])
  }

  return {
    start() {
      look()
      timer = setInterval(look, EVERY_MS).unref()
    },
    look,
    disk: () => disk,
    stop: () => clearInterval(timer),
  }
}
