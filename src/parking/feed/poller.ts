import { asFetchError, FetchError, type FetchErrorKind } from '../../sources/fetch/fetch-error.ts'
import type { Validators } from '../../sources/fetch/open-address.ts'
import type { Coordination } from '../../store/coordination.ts'
import { type Clock, pause, systemClock } from '../../values/clock.ts'
import { backoffMs, shortened } from '../../values/retry.ts'
import { MINUTE_MS } from '../../values/time-units.ts'
import type { FeedHealth, FeedRole } from './feed.ts'
import { DEADLINE_MS, fetchFeed } from './fetch-feed.ts'
import { keepLatestObservation, type LatestObservationOptions } from './latest-observation.ts'
import { createPollStatus, type PollHealth } from './poll-status.ts'
import { type SharedFeedOptions, shareFeed } from './shared-feed.ts'

/** The outcome of one poll, retries included; for metrics. */
export type PollResult = { readonly durationMs: number } & (
  | { readonly ok: true }
  | { readonly ok: false; readonly kind: FetchErrorKind }
)

export interface FeedPollerOptions extends Omit<LatestObservationOptions, 'clock'> {
  /** The feed's address. Without an address nothing is polled, and the stored observation is served. */
  readonly url: string | undefined
  readonly intervalSeconds: number
  /** Absent if no other instance shares the store. */
  readonly coordination?: Coordination | undefined
  readonly clock?: Clock
  readonly onPoll?: ((result: PollResult) => void) | undefined
  /** A random number from 0 to just below 1, for pauses after failures. */
  readonly random?: () => number
  readonly timing?: SharedFeedOptions['timing']
}

/** The live feed: its last good observation, whatever happens to the feed itself. */
export type LiveFeed = ReturnType<typeof createFeedPoller>

/** The pause of an instance that does not know whether it still leads. */
const NOT_ALLOWED_MS = 1000
/** The retries of a poll while the feed works, and the pauses before them. */
const MAX_RETRIES = 2
const RETRY_PAUSES = { firstMs: 250, growth: 3, longestMs: 750 }
/** The longest pause after a failed poll, whatever the interval and Retry-After are. */
const LONGEST_PAUSE_MS = 5 * MINUTE_MS

/**
 * Creates the feed that polls, one poll at a time. It always serves the last good observation. Among instances that share a
 * store, one polls, and all serve its observations.
 */
export function createFeedPoller(options: FeedPollerOptions) {
  const { url, log, clock = systemClock, random = Math.random, onPoll, onMissed } = options
  const intervalMs = options.intervalSeconds * 1000
  const deadlineMs = Math.min(DEADLINE_MS, intervalMs)
  const latest = keepLatestObservation({ ...options, clock })
  const status = createPollStatus(log, clock, url !== undefined)
  let validators: Validators = {}
  /** The time of the next poll, milliseconds since 1970 UTC; undefined before the end of the first. */
  let nextAt: number | undefined
  let polling: AbortController | undefined
  let polled: Promise<void> = Promise.resolve()
  let attempted = () => {}
  const firstAttempt = new Promise<void>(resolve => {
    attempted = resolve
  })

  const now = () => clock.now().getTime()

  /** Polls from now or a later time on, and waits for the end of an earlier poll that was aborted. */
  function begin(delayMs = 0): void {
    polling = new AbortController()
    const { signal } = polling
    polled = polled.then(() => pollOn(signal, delayMs)).catch(() => undefined)
  }

  /** Aborts the poll under way and polls no more until it begins again. */
  async function end(): Promise<void> {
    polling?.abort(new Error('the poller is stopped'))
    polling = undefined
    attempted()
    await polled
  }

  /** Rejects once aborted. */
  async function pollOn(signal: AbortSignal, firstMs: number): Promise<void> {
    for (let delayMs = firstMs; !signal.aborted; ) {
      if (delayMs > 0) await pause(clock, delayMs, signal)
      delayMs = shared?.mayPoll() === false ? NOT_ALLOWED_MS : await poll(signal)
    }
  }

  /** Polls once, and resolves to the pause before the next poll. */
  async function poll(signal: AbortSignal): Promise<number> {
    const began = performance.now()
    const startedAt = now()
    try {
      const error = await attemptAll(signal).then(() => undefined, asFetchError)
      if (signal.aborted) return 0
      if (error !== undefined) status.failed(error)
      const durationMs = performance.now() - began
      // Bounded both ways: the machine's clock may be set during a poll.
      const elapsedMs = Math.max(0, now() - startedAt)
      const delayMs = pauseBeforeNext({ intervalMs, elapsedMs, error, random })
      nextAt = now() + delayMs
      await latest.save()
      shared?.publish()
      onPoll?.(error === undefined ? { ok: true, durationMs } : { ok: false, kind: error.kind, durationMs })
      return Math.min(Math.max(0, nextAt - now()), delayMs)
    } catch (err) {
      log.error({ event: 'poll-fault', err }, 'a poll of the live feed ended with an unexpected error')
      return intervalMs
    }
  }

  /** Attempts one poll. While the feed works, a poll that may have failed transiently is attempted up to three times. */
  async function attemptAll(signal: AbortSignal): Promise<void> {
    const startedAt = now()
    const retries = status.health().breaker === 'open' ? 0 : MAX_RETRIES
    for (let failures = 1; ; failures++) {
      const pauseMs = Math.round(shortened(backoffMs(failures, RETRY_PAUSES)))
      try {
        return await attempt(signal).finally(attempted)
      } catch (error) {
        // No attempt starts that might end after the time of the next poll.
        const endsAfterMs = now() - startedAt + pauseMs + deadlineMs
        const isLast = failures > retries || endsAfterMs > intervalMs
        if (isLast || signal.aborted || !isTransient(error)) throw error
      }
      await pause(clock, pauseMs, signal)
    }
  }

  async function attempt(signal: AbortSignal): Promise<void> {
    const response = await fetchFeed(url ?? '', { validators, deadlineMs, signal })
    if (response.text === undefined) return status.good()
    const warnings = latest.take(response.text)
    // Kept only after success: the feed must send an unusable response again in full.
    validators = response.validators
    status.good(warnings)
  }

  function changeRole(role: FeedRole, before: FeedRole, known?: PollHealth): void {
    // The other instances do not know the observations that this one made alone. These may not be in the store.
    if (before === 'alone') onMissed?.()
    if (role === 'following') void end()
    else if (before === 'following') {
      if (known !== undefined) status.resume(known)
      // Instances that lose the store together must not all poll at the same instant.
      begin(role === 'alone' ? Math.round(random() * intervalMs) : 0)
    }
  }

  const { coordination } = options
  const shared =
    coordination &&
    shareFeed({
      coordination,
      clock,
      log,
      latest,
      mayLead: url !== undefined,
      health: status.health,
      nextAt: () => nextAt,
      onRole: changeRole,
      timing: options.timing,
    })

  return {
    /** The last good observation; undefined before the first. */
    latest: latest.latest,
    /** Loads the stored observation if this failed at the start and no observation came since. Never rejects. */
    reload: latest.load,
    /** Whole seconds until the next observation is due, at least 1: the `max-age` of a response. */
    secondsToNext(): number {
      const leader = shared?.leader()
      if (url === undefined && leader === undefined) return options.intervalSeconds
      const dueAt = leader?.nextAt ?? nextAt
      if (dueAt === undefined) return 1
      const seconds = Math.ceil((dueAt - now()) / 1000)
      return Math.max(1, Math.min(seconds, options.intervalSeconds))
    },
    health: (): FeedHealth => ({
      ...(shared?.leader()?.health ?? status.health()),
      ...latest.health(),
      role: shared?.role(),
    }),
    /**
     * Loads the stored observation and begins to poll, or to follow the instance that polls. If no observation is stored, it
     * waits for the first attempt, 2 s at most. Never rejects.
     */
    async start(): Promise<void> {
      await latest.load()
      status.resume({ lastGoodAt: latest.latest()?.timestamp ?? null })
      if (shared !== undefined) await shared.start()
      else if (url !== undefined) begin()
      if (latest.latest() === undefined && polling !== undefined) await firstAttempt
    },
    /** Aborts the poll under way and polls no more. */
    async stop(): Promise<void> {
      await Promise.all([end(), shared?.stop()])
    },
  }
}

/** The end of a poll, from which the time of the next poll follows. */
interface PollEnd {
  readonly intervalMs: number
  /** The duration of the poll. */
  readonly elapsedMs: number
  /** The error of a failed poll. */
  readonly error: Pick<FetchError, 'retryAfterMs'> | undefined
  /** From 0 to just below 1. */
  readonly random: () => number
}

/**
 * Milliseconds from the end of a poll to the next. Polls begin an interval apart. After a failure they never begin further
 * apart, so that the feed is back within one interval, unless it sent a longer Retry-After.
 */
export function pauseBeforeNext({ intervalMs, elapsedMs, error, random }: PollEnd): number {
  const apartMs = error ? shortened(Math.min(intervalMs, LONGEST_PAUSE_MS), random) : intervalMs
  const askedMs = Math.min(error?.retryAfterMs ?? 0, LONGEST_PAUSE_MS)
  return Math.max(0, Math.round(apartMs) - elapsedMs, askedMs)
}

/** Whether a retry may help: after a lost connection, or a late, cut or 5xx response. */
function isTransient(error: unknown): boolean {
  // A feed that sends Retry-After is not polled before that time.
  if (!(error instanceof FetchError) || error.retryAfterMs !== undefined) return false
  if (error.kind === 'status') return (error.status ?? 0) >= 500
  return error.kind === 'refused' || error.kind === 'timeout' || error.kind === 'unreadable'
}
