import { asFetchError, type FetchError, type FetchErrorKind } from '../../sources/fetch/fetch-error.ts'
import type { Validators } from '../../sources/fetch/open-address.ts'
import type { Coordination } from '../../store/coordination.ts'
import type { ReadingStore } from '../../store/store.ts'
import { type Clock, systemClock } from '../../values/clock.ts'
import type { FeedListener, FeedRole, LiveFeed } from './feed.ts'
import { DEADLINE_MS, fetchFeed } from './fetch/fetch-feed.ts'
import { withRetries } from './fetch/retry.ts'
import { keepLatestObservation } from './latest-observation.ts'

import { createPollLoop } from './poll-loop.ts'
import { createPollStatus, type FeedLog, type PollHealth, type PollStatus } from './poll-status.ts'
import { type SharedFeedOptions, shareFeed } from './shared-feed.ts'

/** The outcome of one poll, retries included; for metrics. */
export type PollResult = { readonly durationMs: number } & (
  | { readonly ok: true }
  | { readonly ok: false; readonly kind: FetchErrorKind }
)

export interface FeedPollerOptions extends FeedListener {
  /** The feed's address; without one nothing is polled, and the stored observation is served. */
  readonly url: string | undefined
  readonly intervalSeconds: number
  /** The zone of the feed's time text. */
  readonly timeZone: string
  readonly store: Pick<ReadingStore, 'latestObservation' | 'saveObservation'>
  /** Absent where no other instance shares the store. */
  readonly coordination?: Coordination | undefined
  readonly log: FeedLog
  readonly clock?: Clock
  readonly onPoll?: ((result: PollResult) => void) | undefined
  /** Called each time an observation could not be saved, which is tried again after the next poll. */
  readonly onNotSaved?: (() => void) | undefined
  /** A random number from 0 to just below 1, for pauses after failures. */
  readonly random?: () => number
  readonly timing?: SharedFeedOptions['timing']
}

/**
 * Creates the feed that polls: one poll at a time, the last good observation served whatever happens. Among instances
 * that share a store one polls, and all serve what it observes.
 */
export function createFeedPoller(options: FeedPollerOptions): LiveFeed {
  const { url, log, clock = systemClock, random = Math.random, onPoll, onMissed } = options
  const intervalMs = options.intervalSeconds * 1000
  const deadlineMs = Math.min(DEADLINE_MS, intervalMs)
  const latest = keepLatestObservation({ ...options, clock })
  let status: PollStatus = createPollStatus(log, clock, { polling: url !== undefined, lastGoodAt: null })
  let validators: Validators = {}
  let durationMs = 0
  let firstAttempt: Promise<void> = Promise.resolve()

  async function attempt(signal: AbortSignal): Promise<void> {
    const response = await fetchFeed(url ?? '', { validators, deadlineMs, signal })
    if (response.text === undefined) return status.good()
    const warnings = latest.take(response.text)
    // Kept only now: an unusable response must be sent again in full.
    validators = response.validators
    status.good(warnings)
  }

  /** Polls once; resolves to the reason of a failure. */
  async function poll(signal: AbortSignal, attempted: () => void): Promise<FetchError | undefined> {
    const startedAt = performance.now()
    const once = () => attempt(signal).finally(attempted)
    const bounds = { clock, signal, withinMs: intervalMs, attemptMs: deadlineMs }
    const attempts = status.health().breaker === 'open' ? once() : withRetries(once, bounds)
    const error = await attempts.then(() => undefined, asFetchError)
    if (signal.aborted) return undefined
    if (error !== undefined) status.failed(error)
    durationMs = performance.now() - startedAt
    return error
  }

  /** Other instances get a reading before it is saved, and a second message once it is. */
  async function after(error: FetchError | undefined): Promise<void> {
    shared?.publish()
    if (await latest.save(status)) shared?.publish()
    onPoll?.(error === undefined ? { ok: true, durationMs } : { ok: false, kind: error.kind, durationMs })
  }

  const loop = createPollLoop({
    ...{ clock, log, intervalMs, random, poll, after },
    mayPoll: () => shared?.mayPoll() ?? true,
  })

  function changeRole(role: FeedRole, before: FeedRole, known?: PollHealth): void {
    // The other instances do not know what this one observed alone, and it may not be in the store.
    if (before === 'alone') onMissed?.()
    if (role === 'following') void loop.end()
    else if (before === 'following') {
      if (known !== undefined) status = createPollStatus(log, clock, { ...known, polling: true })
      // Instances that lose the store together must not all poll at the same instant.
      firstAttempt = loop.begin(role === 'alone' ? Math.round(random() * intervalMs) : 0)
    }
  }

  const { coordination } = options
  const shared =
    coordination &&
    shareFeed({
      ...{ coordination, clock, log, latest, onRole: changeRole, nextAt: loop.nextAt },
      ...{ mayLead: url !== undefined, health: () => status.health(), timing: options.timing },
    })

  return {
    latest: latest.latest,
    reload: latest.load,
    secondsToNext() {
      const leader = shared?.leader()
      if (url === undefined && leader === undefined) return options.intervalSeconds
      const nextAt = leader?.nextAt ?? loop.nextAt()
      if (nextAt === undefined) return 1
      const seconds = Math.ceil((nextAt - clock.now().getTime()) / 1000)
      return Math.max(1, Math.min(seconds, options.intervalSeconds))
    },
    health: () => ({
      ...(shared?.leader()?.health ?? status.health()),
      ...latest.health(),
      ...(shared && { role: shared.role() }),
    }),
    async start() {
      await latest.load()
      const lastGoodAt = latest.latest()?.timestamp ?? null
      status = createPollStatus(log, clock, { polling: url !== undefined, lastGoodAt })
      if (shared !== undefined) await shared.start()
      else if (url !== undefined) firstAttempt = loop.begin()
      if (latest.latest() === undefined) await firstAttempt
    },
    async stop() {
      await Promise.all([loop.end(), shared?.stop()])
    },
  }
}
