import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Observation, ReadingStore } from '../../store/store.ts'
import type { Clock } from '../../values/clock.ts'
import type { EventLog } from '../../values/event-log.ts'
import type { FeedHealth, FeedListener } from './feed.ts'
import { detectEntryChanges, type FeedWarning, observe } from './mapping.ts'
import { type ClockState, feedClock, initialClockState } from './time-text.ts'

/** An observation as instances share it, with the state that the next one is compared with. */
export interface SharedObservation {
  readonly observation: Observation
  readonly clockState: ClockState
  /** The id of this observation, and of the one before: an instance that has the one before has missed nothing. */
  readonly id: string
  readonly before: string | undefined
}

export interface LatestObservationOptions extends FeedListener {
  readonly store: Pick<ReadingStore, 'latestObservation' | 'saveObservation'>
  readonly log: EventLog
  readonly clock: Clock
  /** The zone of the feed's time text. */
  readonly timeZone: string
  /** Called each time an observation could not be saved, which is tried again after the next poll. */
  readonly onNotSaved?: (() => void) | undefined
}

type State = Omit<SharedObservation, 'observation'> & { readonly observation: Observation | undefined }

const NONE: State = { observation: undefined, id: '', before: undefined, clockState: initialClockState() }

/** The number of changed entries that are logged by name; the others are counted. */
const LOGGED_ENTRIES = 20

/** Keeps the last good observation, in memory and in the store. */
export type LatestObservation = ReturnType<typeof keepLatestObservation>

/** Creates the keeper of the last good observation, empty until it loads or takes one. */
export function keepLatestObservation(options: LatestObservationOptions) {
  const { store, log, clock, timeZone, onObservation, onSaved, onNotSaved, onMissed } = options
  let state = NONE
  let hasLoaded = false
  let isLoadFailing = false
  let isSaveFailing = false
  let entryChanges = detectEntryChanges()
  let savedTimestamp: string | undefined

  function publish(observation: Observation): void {
    try {
      onObservation?.(observation)
    } catch (error) {
      log.error({ event: 'observation-fault', err: error }, 'an observation could not be processed')
    }
  }

  function logEntryChanges({ entries }: Observation, droppedCodes: readonly string[]): void {
    const changes = entryChanges(entries, droppedCodes)
    if (changes === undefined) return
    const lists = Object.entries(changes)
    const details = Object.fromEntries(lists.map(([name, list]) => [name, list.slice(0, LOGGED_ENTRIES)]))
    const count = Object.values(changes).flat().length
    log.warn(
      { event: 'feed-entries', ...details, count },
      'the list of car parks in the live feed has changed',
    )
  }

  return {
    latest: () => state.observation,
    /** The part of the feed's health that comes from its observations. */
    health(): Pick<FeedHealth, 'clock' | 'readingAgeSeconds'> {
      const { observation, clockState } = state
      const age = observation && (clock.now().getTime() - Date.parse(observation.timestamp)) / 1000
      return { clock: feedClock(clockState), readingAgeSeconds: age === undefined ? null : Math.max(0, age) }
    },
    /** Loads the stored observation, unless it was loaded before or a newer one is known. Never rejects. */
    async load(): Promise<void> {
      if (hasLoaded) return
      try {
        const observation = await store.latestObservation()
        hasLoaded = true
        if (state.observation !== undefined || observation === undefined) return
        const { timestamp, entries } = observation
        state = { ...NONE, observation, clockState: initialClockState(Date.parse(timestamp)) }
        savedTimestamp = timestamp
        entryChanges = detectEntryChanges(entries)
        publish(observation)
      } catch (err) {
        if (!isLoadFailing)
          log.error({ event: 'readings-not-loaded', err }, 'the stored live reading could not be loaded')
        isLoadFailing = true
      }
    },
    /** Takes the text of a response and returns its warnings. Throws {@link FetchError} where it is unusable. */
    take(text: string): readonly FeedWarning[] {
      const last = state.observation
      const observed = observe(text, { now: clock.now(), timeZone, last, clockState: state.clockState })
      const { clockState, observation, droppedCodes, warnings } = observed
      state = { ...state, clockState }
      if (observation === undefined) return warnings
      state = { observation, clockState, id: randomUUID(), before: state.id }
      logEntryChanges(observation, droppedCodes)
      publish(observation)
      return warnings
    },
    /** Saves each timestamp once. A failed save is tried again with the next call. Never rejects. */
    async save(): Promise<void> {
      const { observation } = state
      if (observation === undefined || observation.timestamp === savedTimestamp) return
      try {
        await store.saveObservation(observation)
        if (isSaveFailing) log.info({ event: 'readings-saved-again' }, 'live readings are saved again')
        isSaveFailing = false
        savedTimestamp = observation.timestamp
        onSaved?.()
      } catch (err) {
        if (!isSaveFailing)
          log.error({ event: 'readings-not-saved', err }, 'a live reading could not be saved')
        isSaveFailing = true
        onNotSaved?.()
      }
    },
    /** The observation for other instances; undefined before the first. */
    share(): SharedObservation | undefined {
      const { observation } = state
      return observation && { ...state, observation }
    },
    /** Takes over an observation of another instance, unless it is older: served timestamps never decrease. */
    adopt(shared: SharedObservation): void {
      const { observation, id, before } = shared
      const last = state
      if (last.observation !== undefined && observation.timestamp < last.observation.timestamp) return
      const isSame = isDeepStrictEqual(observation, last.observation)
      state = isSame ? { ...shared, observation: last.observation } : shared
      if (id === last.id) return
      entryChanges = detectEntryChanges(observation.entries)
      if (!isSame) publish(observation)
      if (last.id !== '' && before !== last.id) onMissed?.()
      onSaved?.()
    },
  }
}
