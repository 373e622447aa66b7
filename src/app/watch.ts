import { watchDisk } from '../notifications/disk-watch.ts'
import { watchFeed } from '../notifications/feed-watch.ts'
import type { Notification } from '../notifications/notification.ts'
import { watchRelease } from '../notifications/release-watch.ts'
import type { ParkingService } from '../parking/service.ts'
import type { Snapshots } from '../releases/snapshots/snapshots.ts'
import type { Disk, Store } from '../store/store.ts'

/** Looks at the feed, the releases and the disk every minute, and tells what needs a person. */
export interface Watch {
  /** Looks now, and every minute from then on. */
  start(): void
  /** The store's disk as last seen; undefined where that is another machine's. */
  disk(): Disk | undefined
  stop(): void
}

export interface WatchOptions {
  readonly store: Pick<Store, 'disk'>
  readonly datasets: readonly { readonly name: string }[]
  readonly snapshots: Pick<Snapshots, 'health'>
  readonly parking: Pick<ParkingService, 'health'>
  readonly notify: (notification: Notification) => void
  readonly now?: () => Date
}

const EVERY_MS = 60_000

/** Creates a watch that looks at nothing before it starts. */
export function createWatch(options: WatchOptions): Watch {
  const { store, datasets, snapshots, parking, notify, now = () => new Date() } = options
  const feed = watchFeed()
  const releases = datasets.map(({ name }) => ({ name, watched: watchRelease(name) }))
  const nearlyFull = watchDisk()
  let disk: Disk | undefined
  let isLookingAtDisk = false
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    const found = [
      ...feed(parking.health(), now()),
      ...releases.flatMap(({ name, watched }) => watched(snapshots.health(name))),
    ]
    found.forEach(notify)
    void lookAtDisk()
  }

  async function lookAtDisk(): Promise<void> {
    // A disk of the network may not answer for long.
    if (isLookingAtDisk) return
    isLookingAtDisk = true
    disk = await store.disk?.().catch(() => undefined)
    isLookingAtDisk = false
    if (disk !== undefined) nearlyFull(disk, now()).forEach(notify)
  }

  return {
    start() {
      look()
      timer = setInterval(look, EVERY_MS).unref()
    },
    disk: () => disk,
    stop: () => clearInterval(timer),
  }
}
