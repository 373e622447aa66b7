import type { Coordination } from '../../store/coordination.ts'
import type { ReadingStore } from '../../store/store.ts'
import type { FeedRole, LiveView } from '../live-view.ts'
import { type Clock, systemClock } from './clock.ts'
import { asFeedError, type FeedError, type FeedErrorKind } from './fetch/feed-error.ts'
import { DEADLINE_MS, fetchFeed, type Validators } from './fetch/fetch-feed.ts'
import { withRetries } from './fetch/retry.ts'
import { keepLatestReading, type ObservationListener } from './latest-reading.ts'
import type { LeadershipOptions } from './leadership.ts'
import { createPollLoop } from './poll-loop.ts'
import { type FeedLog, openPollBook, type PollBook, type PollHealth } from './poll-status.ts'
import { createSharing } from './sharing.ts'

/** How one poll, retries included, came out; for metrics. */
export type PollResult = { readonly durationMs: number } & (
  | { readonly ok: true }
  | { readonly ok: false; readonly kind: FeedErrorKind }
)

export interface FeedPollerOptions {
  /** The feed's address; undefined polls nothing and serves what the store kept. */
  readonly url: string | undefined
  readonly intervalSeconds: number
  /** The zone of the feed's time text. */
  readonly timeZone: string
  readonly store: Pick<ReadingStore, 'latestObservation' | 'saveObservation'>
  /** Absent where no other instance shares the store. */
  readonly coordination?: Coordination | undefined
  readonly log: FeedLog
  readonly synthetic: boolean
  readonly clock?: Clock
  readonly onPoll?: (result: PollResult) => void
  /**
   * Hears of each new observation once, as soon as requests see it: before any request is answered in between, and
   * before it is saved. Never of the one that the store kept. Timestamps never decrease, but are equal where the feed
   * changes its counts and not its time, or its clock was set back. An error is logged and changes nothing.
   */
  readonly onObservation?: ObservationListener
  /** Hears each time that an observation has been saved. */
  readonly onSaved?: () => void
  /** Hears where observations that other instances saw may have been missed, or own ones not been saved. */
  readonly onMissed?: () => void
  /** Chance, from 0 to just below 1, for pauses after failures. */
  readonly random?: () => number
  readonly timing?: LeadershipOptions['timing']
}

export interface FeedPoller {
  readonly view: LiveView
  /**
   * Loads the stored reading and begins to poll, or to follow the instance that does. Where nothing is stored it waits
   * for the first attempt, 2 s at most, so that a feed that works is there with the first request. Never rejects.
   */
  start(): Promise<void>
  /** Loads the stored reading where that failed at the start, and nothing came since. Never rejects. */
  reload(): Promise<void>
  /** Aborts what is under way and polls no more. */
  stop(): Promise<void>
}

/**
 * Makes the poller of the live feed: one poll at a time, the last good reading served whatever happens. Among instances
 * that share a store one polls, and all serve what it reads.
 */
export function createFeedPoller(options: FeedPollerOptions): FeedPoller {
  const { url, store, log, clock = systemClock, random = Math.random } = options
  const { onPoll, onObservation, onSaved, onMissed } = options
  const intervalMs = options.intervalSeconds * 1000
  const deadlineMs = Math.min(DEADLINE_MS, intervalMs)
  const reading = keepLatestReading({
    ...{ store, log, clock, timeZone: options.timeZone },
    ...{ onObservation, onSaved, onMissed },
  })
  let book: PollBook = openPollBook(log, clock, { polling: url !== undefined, lastGoodAt: null })
  let validators: Validators = {}
  let durationMs = 0
  let firstAttempt: Promise<void> = Promise.resolve()

  async function attempt(signal: AbortSignal): Promise<void> {
    const answer = await fetchFeed(url ?? '', { validators, deadlineMs, signal })
    if (answer.text === undefined) return book.good()
    const warnings = reading.take(answer.text)
    // Kept only now: an answer that is not usable must be sent again in full.
    validators = answer.validators
    book.good(warnings)
  }

  /** Polls once; gives why it failed, if it did. */
  async function poll(signal: AbortSignal, attempted: () => void): Promise<FeedError | undefined> {
    const startedAt = performance.now()
    const once = () => attempt(signal).finally(attempted)
    const bounds = { clock, signal, withinMs: intervalMs, attemptMs: deadlineMs }
    const tries = book.health().breaker === 'open' ? once() : withRetries(once, bounds)
    const error = await tries.then(() => undefined, asFeedError)
    if (signal.aborted) return undefined
    if (error !== undefined) book.failed(error)
    durationMs = performance.now() - startedAt
    return error
  }

  /** Others need not wait until a reading is saved, but are told when it is. */
  async function after(error: FeedError | undefined): Promise<void> {
    sharing?.tell()
    if (await reading.save(book)) sharing?.tell()
    onPoll?.(error === undefined ? { ok: true, durationMs } : { ok: false, kind: error.kind, durationMs })
  }

  const loop = createPollLoop({
    ...{ clock, log, intervalMs, random, poll, after },
    mayPoll: () => sharing?.mayPoll() ?? true,
  })

  function changeRole(role: FeedRole, before: FeedRole, told?: PollHealth): void {
    // What was seen alone the others do not know, and it may not be in the store.
    if (before === 'alone') onMissed?.()
    if (role === 'following') void loop.end()
    else if (before === 'following') {
      if (told !== undefined) book = openPollBook(log, clock, { ...told, polling: true })
      // Those who are left alone do not all ask at the same instant.
      firstAttempt = loop.begin(role === 'alone' ? Math.round(random() * intervalMs) : 0)
    }
  }

  const { coordination: instances } = options
  const sharing =
    instances &&
    createSharing({
      ...{ instances, clock, log, reading, onRole: changeRole, nextAt: loop.nextAt },
      ...{ mayLead: url !== undefined, health: () => book.health(), timing: options.timing },
    })

  function secondsToNext(): number {
    const others = sharing?.others()
    if (url === undefined && others === undefined) return options.intervalSeconds
    const nextAt = others?.nextAt ?? loop.nextAt()
    if (nextAt === undefined) return 1
    const seconds = Math.ceil((nextAt - clock.now().getTime()) / 1000)
    return Math.max(1, Math.min(seconds, options.intervalSeconds))
  }

  const view: LiveView = {
    ...{ latest: reading.latest, timeSource: reading.timeSource, secondsToNext },
    synthetic: options.synthetic,
    health: () => ({
      ...(sharing?.others()?.health ?? book.health()),
      ...reading.health(),
      ...(sharing && { role: sharing.role() }),
    }),
  }
  return {
    view,
    async start() {
      await reading.load()
      const lastGoodAt = reading.latest()?.timestamp ?? null
      book = openPollBook(log, clock, { polling: url !== undefined, lastGoodAt })
      if (sharing !== undefined) await sharing.start()
      else if (url !== undefined) firstAttempt = loop.begin()
      if (reading.latest() === undefined) await firstAttempt
    },
    reload: () => reading.load(),
    async stop() {
      await Promise.all([loop.end(), sharing?.stop()])
    },
  }
}
