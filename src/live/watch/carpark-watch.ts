import { setTimeout as pause } from 'node:timers/promises'
import type { Observation, Store } from '../../store/store.ts'
import type { Forecast, Unsupported } from '../forecast/forecast.ts'
import type { TypicalWeek } from '../forecast/typical-week.ts'
import type { LocalClock } from '../local-clock.ts'
import type { Verdict } from '../trust/quality.ts'
import type { CarParkRecords } from '../trust/trust.ts'
import { type CarparkInsight, createInsight } from './insight.ts'
import type { ReadingHistory } from './reading-history.ts'
import { replay } from './replay.ts'
import { dropOld } from './retention.ts'

/** What is known of the car parks' counts beyond the last observation. Times are milliseconds since 1970 UTC. */
export interface CarparkWatch {
  /** The clock of the feed's time zone. */
  readonly clock: LocalClock
  readonly history: ReadingHistory
  now(): number
  /** Counts up whenever there is a new observation, a count has another quality, or other history is kept. */
  version(): number
  /** All that the feed counts or counted, by code. */
  counted(): readonly { readonly code: string; readonly name: string }[]
  verdict(code: string): Verdict
  /** The verdicts on all car parks that have a record or were listed lately, by code in upper case. */
  verdicts(): ReadonlyMap<string, Verdict>
  forecast(code: string): Forecast | Unsupported
  typical(code: string): TypicalWeek | Unsupported
  /** Calls back whenever the version counts up. Gives the function that ends it. */
  subscribe(listener: () => void): () => void
}

export interface CarparkWatchOptions {
  readonly store: Pick<Store, 'historyRevision' | 'keptHistory' | 'readings' | 'summaries' | 'dropHistory'>
  readonly clock: LocalClock
  /** Spaces of the car parks by code in upper case; undefined where no list of car parks is published. */
  readonly records: () => CarParkRecords | undefined
  readonly log: WatchLog
  /** Readings older than this are dropped; undefined keeps all. */
  readonly keepDays: number | undefined
  readonly now?: () => number
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
  /** Looks whether history was imported, is too old, or a count has become stale; done every few seconds. */
  look(): Promise<void>
  stop(): Promise<void>
}

/** What is learned from: as far back as forecasts look. */
const LEARNED_MS = 84 * 86_400_000
/** The feed's clock may be ahead of ours by two minutes. */
const AHEAD_MS = 3 * 60_000
const START_WITHIN_MS = 2000
const LOOK_EVERY_MS = 5000
const DROP_EVERY_MS = 3_600_000

/** Keeps what follows from the counts up to date with the feed and the store. */
export function createCarparkWatch(options: CarparkWatchOptions): RunningWatch {
  const { store, clock, records, log, keepDays, now = Date.now } = options
  const listeners = new Set<() => void>()
  let insight: CarparkInsight = createInsight({ clock, records })
  let counted = new Map<string, { code: string; name: string }>()
  let version = 0
  let revision: number | undefined
  let qualities = ''
  let droppedAt = Number.NEGATIVE_INFINITY
  let failing = false
  /** Observations that come while history is read. */
  let waiting: Observation[] | undefined
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  let stopped = false

  function changed(): void {
    version++
    qualities = qualitiesNow()
    for (const listener of listeners) listener()
  }

  function qualitiesNow(): string {
    return [...insight.verdicts(now())].map(([code, { quality }]) => `${code} ${quality}`).join('\n')
  }

  /** Learns anew from all that the store keeps, beside what is known, which then takes its place. */
  async function learn(): Promise<void> {
    const seen = await store.historyRevision()
    if (seen === revision) return
    waiting ??= []
    const fresh = createInsight({ clock, records })
    const names = new Map(
      (await store.keptHistory()).map(({ code, name }) => [code.toUpperCase(), { code, name }]),
    )
    await replay(store, { from: now() - LEARNED_MS, to: now() + AHEAD_MS }, fresh)
    insight = fresh
    counted = names
    revision = seen
    const missed = waiting
    waiting = undefined
    for (const observation of missed) take(observation)
    changed()
  }

  function take({ timestamp, entries }: Observation): void {
    for (const { code, name } of entries) counted.set(code.toUpperCase(), { code, name })
    insight.observe({ at: Date.parse(timestamp), entries })
  }

  async function drop(): Promise<void> {
    if (keepDays === undefined || now() - droppedAt < DROP_EVERY_MS) return
    const dropped = await dropOld(store, { now: now(), keepDays })
    droppedAt = now()
    if (dropped > 0)
      log.info({ event: 'history-dropped', readings: dropped }, 'readings that are too old were dropped')
  }

  async function look(): Promise<void> {
    try {
      await learn()
      await drop()
      if (failing) log.info({ event: 'history-read-again' }, 'the history of car parks can be read again')
      failing = false
    } catch (error) {
      waiting = undefined
      if (!failing)
        log.error(
          { event: 'history-not-read', err: error },
          'the history of car parks cannot be read or dropped',
        )
      failing = true
    }
    if (qualitiesNow() !== qualities) changed()
  }

  function schedule(): void {
    if (stopped) return
    timer = setTimeout(() => {
      looking = look().finally(schedule)
    }, LOOK_EVERY_MS)
    timer.unref()
  }

  return {
    clock,
    history: store,
    now,
    version: () => version,
    counted: () => [...counted.values()].sort(byCode),
    verdict: code => insight.verdict(code, now()),
    verdicts: () => insight.verdicts(now()),
    forecast: code => insight.forecast(code, now()),
    typical: code => insight.typical(code),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async start() {
      looking = look().finally(schedule)
      await Promise.race([looking, pause(START_WITHIN_MS, undefined, { ref: false })])
    },
    observe(observation) {
      waiting?.push(observation)
      take(observation)
      changed()
    },
    look,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await looking
    },
  }
}

function byCode(a: { code: string }, b: { code: string }): number {
  const [one, other] = [a.code.toUpperCase(), b.code.toUpperCase()]
  return one === other ? 0 : one < other ? -1 : 1
}
