import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Observation, ReadingStore } from '../../store/store.ts'
import type { FeedHealth, TimeSource } from '../live-view.ts'
import type { Clock } from './clock.ts'
import { type EntryWatch, watchEntries } from './mapping/entry-changes.ts'
import { observe, type Warning } from './mapping/observing.ts'
import { feedClock, rememberStamp, type TimeMemory } from './mapping/timestamp-resolution.ts'
import type { FeedLog, PollBook } from './poll-status.ts'

/** Hears of observations; see `FeedPollerOptions.onObservation`. */
export type ObservationListener = (observation: Observation, about: { timeSource: TimeSource }) => void

/** An observation as the instances hand it on, with what the next is compared with. */
export interface SharedReading {
  readonly observation: Observation
  readonly timeSource: TimeSource | null
  readonly memory: TimeMemory
  /** Its own name, and that of the one before it: who has that one has missed nothing. */
  readonly id: string
  readonly before: string | undefined
  /** Whether it is in the store. */
  readonly isSaved: boolean
}

/** Keeps the last good observation, in memory and in the store. */
export interface LatestReading {
  latest(): Observation | undefined
  timeSource(): TimeSource | null
  /** What of the feed's health comes from its readings. */
  health(): Pick<FeedHealth, 'clock' | 'readingAgeSeconds'>
  /** Begins with what the store kept, unless that went well before or something is known already. Never rejects. */
  load(): Promise<void>
  /** Takes an answer of the feed; gives what in it is not as it should be. Throws {@link FeedError} where it is not usable. */
  take(text: string): readonly Warning[]
  /**
   * Saves each timestamp once; one that could not be saved is tried again with the next call. Gives whether it saved
   * one. Never rejects.
   */
  save(book: PollBook): Promise<boolean>
  /** For other instances; undefined before the first. */
  share(): SharedReading | undefined
  /** Takes what another instance shares, unless it is older than what is known: served timestamps never decrease. */
  adopt(shared: SharedReading): void
}

export interface LatestReadingOptions {
  readonly store: Pick<ReadingStore, 'latestObservation' | 'saveObservation'>
  readonly log: FeedLog
  readonly clock: Clock
  readonly timeZone: string
  readonly onObservation?: ObservationListener | undefined
  readonly onSaved?: (() => void) | undefined
  /** Called where an adopted observation may not be the one after the last that was known. */
  readonly onMissed?: (() => void) | undefined
}

/** What is known of the last observation. */
interface Known extends Omit<SharedReading, 'observation' | 'isSaved'> {
  readonly observation: Observation | undefined
}

/** Names of entries that are logged; the others are left out. */
const LOGGED_ENTRIES = 20

const NOTHING: Known = {
  ...{ observation: undefined, timeSource: null, id: '', before: undefined },
  memory: rememberStamp(),
}

/** Makes the keeper of the last good observation, empty until it is loaded or takes an answer. */
export function keepLatestReading(options: LatestReadingOptions): LatestReading {
  const { store, log, clock, timeZone, onObservation, onSaved, onMissed } = options
  let known = NOTHING
  let hasLoaded = false
  let isLoadFailing = false
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

  function noteSaved(timestamp: string): void {
    savedTimestamp = timestamp
    onSaved?.()
  }

  return {
    latest: () => known.observation,
    timeSource: () => known.timeSource,
    health() {
      const { observation, memory } = known
      const age = observation && (clock.now().getTime() - Date.parse(observation.timestamp)) / 1000
      return { clock: feedClock(memory), readingAgeSeconds: age === undefined ? null : Math.max(0, age) }
    },
    async load() {
      if (hasLoaded) return
      try {
        const observation = await store.latestObservation()
        hasLoaded = true
        if (known.observation !== undefined || observation === undefined) return
        const { timestamp, entries } = observation
        known = { ...NOTHING, observation, memory: rememberStamp(Date.parse(timestamp)) }
        savedTimestamp = timestamp
        watch = watchEntries(entries)
      } catch (err) {
        if (!isLoadFailing)
          log.error({ event: 'readings-not-loaded', err }, 'the stored live reading could not be loaded')
        isLoadFailing = true
      }
    },
    take(text) {
      const last = known.observation
      const observed = observe(text, { now: clock.now(), timeZone, last, memory: known.memory })
      const { memory, observation, timeSource, droppedCodes, warnings } = observed
      known = { ...known, memory }
      if (observation === undefined || timeSource === undefined) return warnings
      known = { observation, timeSource, memory, id: randomUUID(), before: known.id }
      tellChanges(observation, droppedCodes)
      tell(observation, timeSource)
      return warnings
    },
    async save(book) {
      const { observation } = known
      if (observation === undefined || observation.timestamp === savedTimestamp) return false
      try {
        await store.saveObservation(observation)
        book.saved()
        noteSaved(observation.timestamp)
        return true
      } catch (error) {
        book.notSaved(error)
        return false
      }
    },
    share() {
      const { observation } = known
      return observation && { ...known, observation, isSaved: observation.timestamp === savedTimestamp }
    },
    adopt({ isSaved, ...shared }) {
      const { observation, timeSource, id, before } = shared
      const last = known
      if (last.observation !== undefined && observation.timestamp < last.observation.timestamp) return
      if (id !== last.id) {
        const isSame = isDeepStrictEqual(observation, last.observation)
        known = isSame ? { ...shared, observation: last.observation } : shared
        watch = watchEntries(observation.entries)
        if (!isSame) tell(observation, timeSource ?? 'feed')
        if (last.id !== '' && before !== last.id) onMissed?.()
      } else known = { ...shared, observation: last.observation }
      if (isSaved && observation.timestamp !== savedTimestamp) noteSaved(observation.timestamp)
    },
  }
}
