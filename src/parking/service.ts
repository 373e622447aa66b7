import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { Coordination } from '../store/coordination.ts'
import type { Observation, ReadingStore } from '../store/store.ts'
import type { EventLog } from '../values/event-log.ts'
import { type MaybePromise, repeat } from '../values/promises.ts'
import { HOUR_MS } from '../values/time-units.ts'
import type { FeedListener } from './feed/feed.ts'
import { createFeedPoller, type LiveFeed, type PollResult } from './feed/poller.ts'
import type { LiveNow } from './live-schema.ts'
import { feedTimeZone, localClock } from './local-clock.ts'
import { createModel, type ParkingModel } from './model.ts'
import type { CarParkRecords } from './quality/data-quality.ts'
import { describeAssessment } from './quality/quality.ts'
import { rebuildModel } from './rebuild.ts'
import { dropOldReadings } from './retention.ts'

/** Everything about live parking: the feed, the quality of its counts, forecasts and history. Times are milliseconds since 1970 UTC. */
export type ParkingService = ReturnType<typeof createParkingService>

export interface ParkingOptions {
  readonly config: Pick<
    Config,
    'LIVE_FEED_URL' | 'LIVE_FEED_INTERVAL_S' | 'LIVE_FEED_TIME_ZONE' | 'LIVE_HISTORY_DAYS'
  >
  readonly store: ReadingStore
  /** Absent where no other instance shares the store. */
  readonly coordination?: Coordination | undefined
  /** Spaces of the published car parks by code in upper case; undefined where no list of car parks is published. */
  readonly records: () => CarParkRecords | undefined
  readonly log: EventLog
  readonly synthetic: boolean
  /** Called with the outcome of each poll of the feed, for metrics. */
  readonly onPoll?: (result: PollResult) => void
  /** Called each time a reading could not be saved, for metrics. */
  readonly onNotSaved?: () => void
  readonly now?: () => number
  /** The longest time that a start waits for the model. */
  readonly startWithinMs?: number
  /** Creates the feed; by default it polls the configured address. */
  readonly createFeed?: (listener: FeedListener) => LiveFeed
}

const START_WITHIN_MS = 2000
const REFRESH_EVERY_MS = 5000
const DROP_EVERY_MS = HOUR_MS

/** Creates the service of live parking, which keeps its model up to date with the feed and the store. */
export function createParkingService(options: ParkingOptions) {
  const { config, store, records, log, synthetic, now = Date.now } = options
  const { startWithinMs = START_WITHIN_MS, createFeed = pollFeed } = options
  const keepDays = config.LIVE_HISTORY_DAYS
  const timeZone = feedTimeZone(config)
  const clock = localClock(timeZone)
  const refresh = repeat(refreshOnce, () => REFRESH_EVERY_MS)
  const listeners = new Set<() => void>()
  let model = createModel({ clock, records, now })
  let version = 0
  /** The reason of each car park's quality, as listeners know it. */
  let published = '[]'

  /** The model is rebuilt after a miss, and where the store holds other history than it was built from. */
  let builtFrom: string | undefined
  let misses = 0
  /** Observations that may not be saved when the store is read: the last one before a refresh, and those since then. */
  let unsaved: Observation[] = []

  let droppedAt = Number.NEGATIVE_INFINITY
  let wasOurs = true
  let isFailing = false
  let starting: MaybePromise<void>
  let isStopped = false

  const feed = createFeed({
    onObservation(observation) {
      model.take(observation)
      unsaved.push(observation)
      changed()
    },
    onSaved() {
      version++
    },
    onMissed() {
      misses++
    },
  })

  function pollFeed(listener: FeedListener): LiveFeed {
    return createFeedPoller({
      ...options,
      ...listener,
      url: config.LIVE_FEED_URL,
      intervalSeconds: config.LIVE_FEED_INTERVAL_S,
      timeZone,
    })
  }

  const reasons = () => JSON.stringify([...model.qualities()].map(([code, { reason }]) => [code, reason]))

  function changed(): void {
    version++
    published = reasons()
    for (const listener of listeners)
      try {
        listener()
      } catch (error) {
        log.error({ event: 'listener-fault', err: error }, 'a listener to live parking failed')
      }
  }

  /** Resolves to whether it rebuilt the model. The old one stays in use meanwhile, and where this rejects. */
  async function rebuildIfOutdated(signal: AbortSignal): Promise<boolean> {
    unsaved = unsaved.slice(-1)
    const source = `${await store.historyRevision()} ${misses}`
    if (source === builtFrom) return false
    const rebuilt = await rebuildModel(store, { clock, records, now }, signal)
    // Observations that were already in the store change nothing.
    for (const observation of unsaved) rebuilt.take(observation)
    model = rebuilt
    builtFrom = source
    return true
  }

  async function dropOld(keptDays: number, signal: AbortSignal): Promise<void> {
    // Among instances, the one that polls deletes old readings for all.
    const isOurs = feed.health().role !== 'following'
    if (Math.abs(now() - droppedAt) < DROP_EVERY_MS && isOurs === wasOurs) return
    const readings = isOurs ? await dropOldReadings(store, { now: now(), keepDays: keptDays, signal }) : 0
    if (readings > 0 || !isOurs) {
      model.keepOnly(await store.keptHistory())
      changed()
    }
    if (readings > 0)
      log.info({ event: 'history-dropped', readings }, 'readings older than LIVE_HISTORY_DAYS were deleted')
    droppedAt = now()
    wasOurs = isOurs
  }

  async function refreshOnce(signal: AbortSignal): Promise<void> {
    try {
      if (await rebuildIfOutdated(signal)) changed()
      if (keepDays !== undefined) await dropOld(keepDays, signal)
      if (isFailing) log.info({ event: 'history-read-again' }, 'the history of car parks can be read again')
      isFailing = false
    } catch (error) {
      if (signal.aborted) return
      const text = 'the history of car parks cannot be read or deleted'
      if (!isFailing) log.error({ event: 'history-not-read', err: error }, text)
      isFailing = true
    }
    // A count can become stale by time alone, and plausible by a new record.
    if (reasons() !== published) changed()
  }

  async function start(): Promise<void> {
    await Promise.race([refresh.start(), pause(startWithinMs, undefined, { ref: false })])
    if (!isStopped) await feed.start()
    if (isStopped) await feed.stop()
    starting = undefined
  }

  return {
    /** The clock of the feed's time zone. */
    clock,
    /** True for the demo's simulated feed. */
    synthetic,
    now,
    latest: feed.latest,
    secondsToNext: feed.secondsToNext,
    health: feed.health,
    history: store,
    /** Whether the stored history has been read: until then no count can be checked, and past car parks are not known. */
    hasReadHistory: (): boolean => builtFrom !== undefined,
    /** Rises with each new observation, changed quality and change of the stored history. */
    version: (): number => version,
    /** The last good observation with the quality of each count. */
    current(): LiveNow | undefined {
      const observation = feed.latest()
      if (observation === undefined) return undefined
      const { timestamp, entries } = observation
      const results = entries.map(entry => ({
        ...entry,
        ...describeAssessment(model.quality(entry.code)),
        trend: model.trend(entry.code),
      }))
      return { timestamp, results }
    },
    /** The present model; another takes its place when the history is read again. */
    model: (): ParkingModel => model,
    /** Calls back with each new observation, changed quality and rebuilt model. Returns the function that ends it. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Builds the model from the store, in the background where that takes long, and starts the feed. Never rejects. */
    start: (): Promise<void> => (starting = start()),
    /** A promise while it starts, since there may be no model and no observation before. */
    started: (): MaybePromise<void> => starting,
    /** Loads from the store what could not be loaded at the start. Never rejects. */
    async reload(): Promise<void> {
      await feed.reload()
      await refresh.once()
    },
    /** Runs the periodic check for imported or outdated readings and for stale counts. Never rejects. */
    refresh: refresh.once,
    async stop(): Promise<void> {
      isStopped = true
      await Promise.all([feed.stop(), refresh.stop(), starting])
    },
  }
}
