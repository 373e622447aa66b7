import { FETCH_ERROR_KINDS, FetchError } from '../../sources/fetch/fetch-error.ts'
import type { Leases } from '../../store/coordination.ts'
import { keepLease } from '../../store/keep-lease.ts'
import { type SourceState, type SourceStates, StoreError } from '../../store/store.ts'
import { type Clock, systemClock } from '../../values/clock.ts'
import type { EventLog } from '../../values/event-log.ts'
import { messageOf } from '../../values/system/error-code.ts'
import { HOUR_MS } from '../../values/time-units.ts'
import type { ImportedSource, KnownSource } from './import-source.ts'
import { type Attempt, isWaiting, nextState } from './next-state.ts'
import type { Schedule } from './schedule.ts'

/** A source that is imported on a schedule. */
export interface FollowedSource {
  readonly dataset: string
  /** The address as messages show it. */
  readonly address: string
  /** Identifies the configuration that determines the published records. */
  readonly configuration: string
  readonly schedule: Schedule
}

/** A followed source with its state; undefined before the first attempt. */
export interface SourceStatus extends Pick<FollowedSource, 'dataset' | 'address'> {
  readonly state: SourceState | undefined
}

/**
 * Why an attempt did not succeed, for metrics: the kinds of failed fetches, a refusal by the checks, an error of the
 * store, or another fault.
 */
export const SOURCE_FAILURES = [...FETCH_ERROR_KINDS, 'checks', 'store', 'fault'] as const
export type SourceFailure = (typeof SOURCE_FAILURES)[number]

export interface FollowOptions {
  readonly sources: readonly FollowedSource[]
  readonly states: SourceStates
  /** Absent where no other instance shares the store. */
  readonly leases?: Leases | undefined
  /** Imports one source. Throws {@link FetchError}, the store's errors, or the signal's reason. */
  readonly importSource: (dataset: string, known: KnownSource, signal: AbortSignal) => Promise<ImportedSource>
  readonly log: EventLog
  /** Called after each attempt with the resulting state. */
  readonly onOutcome?: ((source: FollowedSource, state: SourceState) => void) | undefined
  /** Called with the dataset and the reason of each attempt that does not succeed. */
  readonly onFailure?: ((dataset: string, reason: SourceFailure) => void) | undefined
  readonly clock?: Clock
  /** A random number from 0 to just below 1, for the times of attempts. */
  readonly random?: () => number
  readonly timing?: typeof TIMING | undefined
}

const TIMING = {
  /** How often an instance reads the states of sources that another instance follows or an operator accepts. */
  followEveryMs: 10_000,
  leaseMs: 15_000,
  renewEveryMs: 5_000,
  timeoutMs: 5_000,
}
/** Timers are not longer, because the machine's clock may be set while a timer runs. */
const LONGEST_TIMER_MS = HOUR_MS

/** The follower of all sources. */
export type SourceFollower = ReturnType<typeof followSources>

/**
 * Imports sources on their schedules, one at a time. Among instances that share a store, one follows the sources for
 * all instances, and the others read the results.
 */
export function followSources(options: FollowOptions) {
  const { sources, states, leases, log, clock = systemClock, random = Math.random, timing = TIMING } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const lease =
    leases &&
    keepLease({
      leases,
      lease: 'sources',
      ...timing,
      everyMs: () => timing.renewEveryMs,
      onRenewal() {
        if (wasLeading !== isLeading()) changeRole()
      },
    })
  const isLeading = () => lease?.isHeld() ?? true
  const known = new Map<string, SourceState>()
  let wasLeading = false
  let isLoaded = false
  let isSaving = true
  let running: Promise<void> = Promise.resolve()
  let timer: unknown

  const dueAt = ({ dataset }: FollowedSource) => Date.parse(known.get(dataset)?.dueAt ?? '') || 0

  function changeRole(): void {
    wasLeading = isLeading()
    if (wasLeading) log.info({ event: 'sources-leading' }, 'this instance follows the sources for all')
    else log.info({ event: 'sources-following' }, 'another instance follows the sources')
    isLoaded = false
    clock.clearTimeout(timer)
    run()
  }

  /** Reads the states from the store. States of another configuration are out of date. */
  async function load(): Promise<void> {
    const stored = new Map((await states.list()).map(state => [state.dataset, state]))
    const now = clock.now().getTime()
    for (const { dataset, configuration, schedule } of sources) {
      const state = stored.get(dataset)
      if (state?.configuration !== configuration) known.delete(dataset)
      // A new schedule may make a source due earlier.
      else if (state.failures > 0 || Date.parse(state.dueAt) <= schedule.next(now)) known.set(dataset, state)
      else known.set(dataset, { ...state, dueAt: new Date(schedule.next(now)).toISOString() })
    }
    isLoaded = true
  }

  const waiting = () => sources.filter(({ dataset }) => isWaiting(known.get(dataset)))

  /** Reads from the store which refused sources an operator has published in the meantime. */
  async function takeAccepted(): Promise<void> {
    const stored = waiting().length > 0 ? await states.list() : []
    for (const source of waiting()) {
      const before = known.get(source.dataset)
      const state = stored.find(each => each.dataset === source.dataset)
      if (state?.configuration !== source.configuration || state.triedAt <= String(before?.triedAt)) continue
      known.set(source.dataset, state)
      logOutcome(log, source, before, state)
      options.onOutcome?.(source, state)
    }
  }

  async function turn(): Promise<void> {
    if (!isLoaded || !isLeading()) await load()
    else await takeAccepted()
    const [first] = sources.toSorted((a, b) => dueAt(a) - dueAt(b))
    if (first === undefined || !isLeading() || dueAt(first) > clock.now().getTime()) return
    await attempt(first)
  }

  async function attempt(source: FollowedSource): Promise<void> {
    const { dataset } = source
    const before = known.get(dataset)
    const { validators = {}, hash = null } = before ?? {}
    const result = await options.importSource(dataset, { validators, hash }, signal).catch(failureOf)
    if (signal.aborted) return
    if ('kind' in result) options.onFailure?.(dataset, result.kind)
    else if (result.outcome === 'refused') options.onFailure?.(dataset, 'checks')
    const state = nextState({ ...source, before, attempt: result, now: clock.now(), random })
    known.set(dataset, state)
    await save(state)
    logOutcome(log, source, before, state)
    options.onOutcome?.(source, state)
  }

  async function save(state: SourceState): Promise<void> {
    try {
      await states.save(state)
      isSaving = true
    } catch (err) {
      if (isSaving)
        log.error(
          { event: 'source-not-saved', dataset: state.dataset, err },
          'the state of a source could not be saved',
        )
      isSaving = false
    }
  }

  function run(): void {
    running = running.then(async () => {
      if (signal.aborted) return
      clock.clearTimeout(timer)
      await turn().catch(err => {
        // The code that watches the store logs that it is unavailable.
        if (!(err instanceof StoreError))
          log.error(
            { event: 'source-fault', err },
            'sources could not be followed because of an unexpected error',
          )
        isLoaded = false
      })
      if (!signal.aborted) timer = clock.setTimeout(run, pauseMs())
    })
  }

  function pauseMs(): number {
    const { followEveryMs } = timing
    if (!isLoaded || !isLeading()) return followEveryMs
    const next = Math.min(...sources.map(dueAt)) - clock.now().getTime()
    return Math.min(Math.max(0, next), waiting().length > 0 ? followEveryMs : LONGEST_TIMER_MS)
  }

  return {
    /** Whether this instance follows the sources for all instances that share the store. */
    isLeading,
    /** All sources as this instance knows them. */
    status: (): readonly SourceStatus[] =>
      sources.map(({ dataset, address }) => ({ dataset, address, state: known.get(dataset) })),
    start(): void {
      void lease?.start()
      run()
    },
    /** Aborts the current import, which then publishes nothing. Never rejects. */
    async stop(): Promise<void> {
      stopping.abort(new Error('the service is stopping'))
      clock.clearTimeout(timer)
      await running
      await lease?.stop()
    },
  }
}

/** Describes the error of an import that ended without a report. */
function failureOf(error: unknown): Extract<Attempt, { outcome: 'failed' }> & { kind: SourceFailure } {
  const reason = messageOf(error)
  if (error instanceof FetchError)
    return { outcome: 'failed', reason, kind: error.kind, retryAfterMs: error.retryAfterMs }
  return { outcome: 'failed', reason, kind: error instanceof StoreError ? 'store' : 'fault' }
}

/** Logs a lasting failure once, and its end once. */
function logOutcome(
  log: EventLog,
  { dataset, address }: FollowedSource,
  before: SourceState | undefined,
  { outcome, reason, changed, refused, failures }: SourceState,
): void {
  const about = { dataset, source: address }
  const isNews = before?.outcome !== outcome || before.reason !== reason
  if (outcome === 'failed' && isNews)
    log.error({ event: 'source-failed', ...about, reason }, 'a source cannot be fetched or imported')
  if (outcome === 'refused' && isNews)
    log.error(
      { event: 'source-refused', ...about, ...refused },
      'a source was refused; the current release stays',
    )
  if (failures === 0 && before !== undefined && before.failures > 0)
    log.info({ event: 'source-back', ...about, attempts: before.failures }, 'a source succeeds again')
  if (outcome === 'published')
    log.info({ event: 'source-published', ...about, ...changed }, 'a source was published')
}
