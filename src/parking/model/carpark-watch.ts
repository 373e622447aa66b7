import { setTimeout as pause } from 'node:timers/promises'
import type { Observation, ReadingStore } from '../../store/store.ts'
import type { Forecast, Unsupported } from '../forecast/forecast.ts'
import type { TypicalWeek } from '../forecast/typical-week.ts'
import type { LocalClock } from '../local-clock.ts'
import type { Verdict } from '../quality/quality.ts'
import type { InsightOptions } from './insight.ts'
import type { Counted } from './knowledge.ts'
import { createLearning } from './learning.ts'
import type { ReadingHistory } from './reading-history.ts'
import { dropOld } from './retention.ts'
import { createRounds } from './rounds.ts'

/** What is known of the car parks' counts beyond the last observation. Times are milliseconds since 1970 UTC. */
export interface CarparkWatch {
  /** The clock of the feed's time zone. */
  readonly clock: LocalClock
  readonly history: ReadingHistory
  now(): number
  /** Counts up whenever there is a new observation, a count is judged otherwise, or other history is kept. */
  version(): number
  /** All that the feed counts or counted, by code. */
  counted(): readonly Counted[]
  verdict(code: string): Verdict
  /** The verdicts on all car parks that have a record or were listed lately, by code in upper case. */
  verdicts(): ReadonlyMap<string, Verdict>
  forecast(code: string): Forecast | Unsupported
  typical(code: string): TypicalWeek | Unsupported
  /** Calls back whenever the version counts up. Gives the function that ends it. */
  subscribe(listener: () => void): () => void
}

export interface CarparkWatchOptions extends InsightOptions {
  readonly store: ReadingHistory & Pick<ReadingStore, 'latestObservation' | 'dropHistory'>
  readonly log: WatchLog
  /** Readings older than this are dropped; undefined keeps all. */
  readonly keepDays: number | undefined
  /** Whether it is for this instance to drop them; without it, it is. */
  readonly mayDrop?: () => boolean
  readonly now?: () => number
  /** How long a start waits for what is learned from the store. */
  readonly startWithinMs?: number
}

export interface WatchLog {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface RunningWatch extends CarparkWatch {
  /** Learns from what the store keeps; when that takes long it goes on beside what follows. Never rejects. */
  start(): Promise<void>
  /** Takes a new observation of the feed. */
  observe(observation: Observation): void
  /** Notes that an observation is in the store now, so that answers made before tell too little. */
  noteSaved(): void
  /** Learns anew from the store with the next look: observations may have been missed. */
  noteMissed(): void
  /** Looks whether history was imported, is too old, or a count has become stale; done every few seconds. Never rejects. */
  look(): Promise<void>
  /** Ends what is under way. */
  stop(): Promise<void>
}

const START_WITHIN_MS = 2000
const LOOK_EVERY_MS = 5000
const DROP_EVERY_MS = 3_600_000

/** Keeps what follows from the counts up to date with the feed and the store. */
export function createCarparkWatch(options: CarparkWatchOptions): RunningWatch {
  const { store, clock, log, keepDays, mayDrop = () => true } = options
  const { now = Date.now, startWithinMs = START_WITHIN_MS } = options
  const learning = createLearning({ ...options, history: store, now })
  const listeners = new Set<() => void>()
  const rounds = createRounds(look, LOOK_EVERY_MS)
  let version = 0
  let told: ReadonlyMap<string, Verdict> = new Map()
  let droppedAt = Number.NEGATIVE_INFINITY
  let wasOurs = true
  let isFailing = false

  const verdicts = () => learning.known().insight.verdicts(now())

  function changed(): void {
    version++
    told = verdicts()
    for (const listener of listeners)
      try {
        listener()
      } catch (error) {
        log.error({ event: 'listener-fault', err: error }, 'a change of the counts was not taken well')
      }
  }

  async function drop(keptDays: number, signal: AbortSignal): Promise<void> {
    const isOurs = mayDrop()
    if (Math.abs(now() - droppedAt) < DROP_EVERY_MS && isOurs === wasOurs) return
    const readings = isOurs ? await dropOld(store, { now: now(), keepDays: keptDays, signal }) : 0
    if (readings > 0 || !isOurs) {
      learning.known().keepOnly(await store.keptHistory())
      changed()
    }
    if (readings > 0)
      log.info({ event: 'history-dropped', readings }, 'readings that are too old were dropped')
    droppedAt = now()
    wasOurs = isOurs
  }

  async function look(signal: AbortSignal): Promise<void> {
    try {
      if (await learning.learn(signal)) changed()
      if (keepDays !== undefined) await drop(keepDays, signal)
      if (isFailing) log.info({ event: 'history-read-again' }, 'the history of car parks can be read again')
      isFailing = false
    } catch (error) {
      if (signal.aborted) return
      if (!isFailing)
        log.error(
          { event: 'history-not-read', err: error },
          'the history of car parks cannot be read or dropped',
        )
      isFailing = true
    }
    if (areOther(verdicts(), told)) changed()
  }

  return {
    clock,
    history: store,
    now,
    version: () => version,
    counted: () => learning.known().counted(),
    verdict: code => learning.known().insight.verdict(code, now()),
    verdicts,
    forecast: code => learning.known().insight.forecast(code, now()),
    typical: code => learning.known().insight.typical(code),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    start: () => Promise.race([rounds.start(), pause(startWithinMs, undefined, { ref: false })]),
    observe(observation) {
      learning.take(observation)
      changed()
    },
    noteSaved() {
      version++
    },
    noteMissed: learning.doubt,
    look: rounds.once,
    stop: rounds.stop,
  }
}

/** Whether a count is judged otherwise than it was. */
function areOther(some: ReadonlyMap<string, Verdict>, others: ReadonlyMap<string, Verdict>): boolean {
  return (
    some.size !== others.size || [...some].some(([code, { reason }]) => others.get(code)?.reason !== reason)
  )
}
