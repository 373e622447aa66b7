import type { Observation, Store } from '../../store/store.ts'
import type { Clock } from '../clock.ts'
import type { FeedHealth, TimeSource } from '../live-view.ts'
import { type EntryWatch, watchEntries } from './entry-changes.ts'
import { observe, type Warning } from './observing.ts'
import type { FeedLog, PollBook } from './poll-book.ts'
import { feedClock, rememberStamp, type TimeMemory } from './stamping.ts'

/** Hears of observations; see `FeedPollerOptions.onObservation`. */
export type ObservationListener = (observation: Observation, about: { timeSource: TimeSource }) => void

/** Keeps the last good observation, in memory and in the store. */
export interface LatestReading {
  latest(): Observation | undefined
  timeSource(): TimeSource | null
  /** What of the feed's health comes from its readings. */
  health(): Pick<FeedHealth, 'clock' | 'readingAgeSeconds'>
  /** Begins with what the store kept. Never rejects. */
  load(): Promise<void>
  /** Takes an answer of the feed; gives what in it is not as it should be. Throws {@link FeedError} where it is not usable. */
  take(text: string): readonly Warning[]
  /** Saves each timestamp once; one that could not be saved is tried again with the next call. Never rejects. */
  save(book: PollBook): Promise<void>
}

export interface LatestReadingOptions {
  readonly store: Pick<Store, 'latestObservation' | 'saveObservation'>
  readonly log: FeedLog
  readonly clock: Clock
  readonly timeZone: string
  readonly onObservation?: ObservationListener | undefined
  readonly onSaved?: (() => void) | undefined
}

/** Names of entries that are logged; the others are left out. */
const LOGGED_ENTRIES = 20

/** Makes the keeper of the last good observation, empty until it is loaded or takes an answer. */
export function keepLatestReading(options: LatestReadingOptions): LatestReading {
  const { store, log, clock, timeZone, onObservation, onSaved } = options
  let latest: Observation | undefined
  let timeSource: TimeSource | null = null
  let memory: TimeMemory = rememberStamp()
  let watch: EntryWatch = watchEntries()
  let savedTimestamp: string | undefined

  function tell(observation: Observation, source: TimeSource): void {
    try {
      onObservation?.(observation, { timeSource: source })
    } catch (error) {
      log.error({ event: 'observation-fault', err: error }, 'an observation was not taken well')
    }
  }

  function tellChanges(observation: Observation, droppedCodes: readonly string[]): void {
    const changes = watch.compare(observation.entries, droppedCodes)
    if (changes === undefined) return
    const { appeared, gone, renamed } = changes
    const details = {
      appeared: appeared.slice(0, LOGGED_ENTRIES),
      gone: gone.slice(0, LOGGED_ENTRIES),
      renamed: renamed.slice(0, LOGGED_ENTRIES),
      count: appeared.length + gone.length + renamed.length,
    }
    log.warn({ event: 'feed-entries', ...details }, 'the car parks that the live feed lists have changed')
  }

  return {
    latest: () => latest,
    timeSource: () => timeSource,
    health() {
      const age = latest && (clock.now().getTime() - Date.parse(latest.timestamp)) / 1000
      return { clock: feedClock(memory), readingAgeSeconds: age === undefined ? null : Math.max(0, age) }
    },
    async load() {
      try {
        latest = await store.latestObservation()
        savedTimestamp = latest?.timestamp
        memory = rememberStamp(latest && Date.parse(latest.timestamp))
        watch = watchEntries(latest?.entries)
      } catch (error) {
        log.error({ event: 'readings-not-loaded', err: error }, 'the stored live reading could not be loaded')
      }
    },
    take(text) {
      const observed = observe(text, { now: clock.now(), timeZone, last: latest, memory })
      memory = observed.memory
      const { observation, timeSource: source, droppedCodes, warnings } = observed
      if (observation === undefined || source === undefined) return warnings
      latest = observation
      timeSource = source
      tellChanges(observation, droppedCodes)
      tell(observation, source)
      return warnings
    },
    async save(book) {
      const observation = latest
      if (observation === undefined || observation.timestamp === savedTimestamp) return
      try {
        await store.saveObservation(observation)
        savedTimestamp = observation.timestamp
        book.saved()
        onSaved?.()
      } catch (error) {
        book.notSaved(error)
      }
    },
  }
}
