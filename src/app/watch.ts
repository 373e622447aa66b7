import { findOnDisk } from '../notifications/findings/disk.ts'
import { findInFeed } from '../notifications/findings/feed.ts'
import { findInRelease } from '../notifications/findings/release.ts'
import { findInSource } from '../notifications/findings/source.ts'
import type { TellFindings } from '../notifications/incidents.ts'
import type { ParkingService } from '../parking/service.ts'
import type { SourceFollower } from '../releases/schedule/follow-sources.ts'
import type { Snapshots } from '../releases/snapshots/snapshots.ts'
import type { Disk, Store } from '../store/store.ts'
import { MINUTE_MS } from '../values/time-units.ts'

/** Looks at the feed, the sources, the releases and the disk every minute, and reports anything that needs a person. */
export interface Watch {
  /** Looks now, and every minute from then on. */
  start(): void
  /** Looks now: something has happened. */
  look(): void
  /** The store's disk as last seen; undefined if it belongs to another machine. */
  disk(): Disk | undefined
  stop(): void
}

export interface WatchOptions {
  readonly store: Pick<Store, 'disk' | 'leases' | 'coordination'>
  readonly datasets: readonly { readonly name: string }[]
  readonly snapshots: Pick<Snapshots, 'health'>
  readonly parking: Pick<ParkingService, 'health'>
  /** Absent if no sources are followed. */
  readonly sources?: Pick<SourceFollower, 'status' | 'isLeading'> | undefined
  /** How long a source may fail before a notification, in hours. */
  readonly afterHours: number
  /** Whether this process tells about releases and the disk, which other workers of the machine see as well. By default, it does. */
  readonly tellsOfMachine?: (() => boolean) | undefined
  /** Absent if nobody is notified. */
  readonly tell?: TellFindings | undefined
  readonly now?: () => Date
}

const EVERY_MS = MINUTE_MS
const LEASE_MS = 2 * EVERY_MS

/** Creates a watch that looks at nothing before it starts. */
export function createWatch(options: WatchOptions): Watch {
  const { store, datasets, snapshots, parking, sources, tell, now = () => new Date() } = options
  const { tellsOfMachine = () => true } = options
  let disk: Disk | undefined
  let isLookingAtDisk = false
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    void lookAtDisk()
    if (tell !== undefined) void lookAtService(tell)
  }

  async function lookAtService(tell: TellFindings): Promise<void> {
    const ofMachine = tellsOfMachine() ? datasets : []
    const releases = ofMachine.map(({ name }) => findInRelease(name, snapshots.health(name)))
    await tell([...releases, ...findInSources(), findInFeed(await feedHealth(), now())])
  }

  /** Services that share a folder each poll the feed; only the one with the lease reports on it. */
  async function feedHealth() {
    const health = parking.health()
    if (!health.polling || health.role === 'following' || store.coordination !== undefined) return health
    const lease = await store.leases?.acquireLease('feed', LEASE_MS).catch(() => undefined)
    return lease?.leading === false ? { ...health, role: 'following' as const } : health
  }

  /** Only the instance that follows the sources reports on them. */
  function findInSources() {
    const followed = sources?.isLeading() ? sources.status() : []
    return followed.flatMap(({ dataset, address: source, state }) =>
      state === undefined ? [] : [findInSource({ dataset, source, afterHours: options.afterHours }, state)],
    )
  }

  async function lookAtDisk(): Promise<void> {
    // A network disk may not respond for a long time.
    if (isLookingAtDisk) return
    isLookingAtDisk = true
    disk = await store.disk?.().catch(() => undefined)
    isLookingAtDisk = false
    if (disk !== undefined && tellsOfMachine()) void tell?.([findOnDisk(disk, now())])
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
