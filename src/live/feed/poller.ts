import type { Store } from '../../store/store.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { LiveView } from '../live-view.ts'
import { asFeedError, type FeedError, type FeedErrorKind } from './feed-error.ts'
import { DEADLINE_MS, fetchFeed, type Validators } from './fetch-feed.ts'
import { keepLatestReading, type ObservationListener } from './latest-reading.ts'
import { pauseBeforeNext } from './next-poll.ts'
import { type FeedLog, openPollBook, type PollBook } from './poll-book.ts'
import { withRetries } from './retry.ts'

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
  readonly store: Pick<Store, 'latestObservation' | 'saveObservation'>
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
  /** Chance, from 0 to just below 1, for pauses after failures. */
  readonly random?: () => number
}

export interface FeedPoller {
  readonly view: LiveView
  /**
   * Loads the stored reading and begins to poll. Where nothing is stored it waits for the first attempt, 2 s at most,
   * so that a feed that works is there with the first request. Never rejects.
   */
  start(): Promise<void>
  /** Aborts what is under way and polls no more. */
  stop(): Promise<void>
}

/** Makes the poller of the live feed: one poll at a time, the last good reading served whatever happens. */
export function createFeedPoller(options: FeedPollerOptions): FeedPoller {
  const { url, store, log, clock = systemClock, random = Math.random, onPoll, onObservation } = options
  const intervalMs = options.intervalSeconds * 1000
  const deadlineMs = Math.min(DEADLINE_MS, intervalMs)
  const stopping = new AbortController()
  const { signal } = stopping
  const reading = keepLatestReading({
    ...{ store, log, clock, timeZone: options.timeZone },
    ...{ onObservation, onSaved: options.onSaved },
  })
  let book: PollBook = openPollBook(log, clock, { polling: url !== undefined, lastGoodAt: null })
  let validators: Validators = {}
  let nextAt: number | undefined
  let timer: unknown
  let polling: Promise<void> | undefined

  async function attempt(address: string): Promise<void> {
    const answer = await fetchFeed(address, { validators, deadlineMs, signal })
    if (answer.text === undefined) return book.good()
    const warnings = reading.take(answer.text)
    // Kept only now: an answer that is not usable must be sent again in full.
    validators = answer.validators
    book.good(warnings)
  }

  /** Polls once; gives why it failed, if it did. */
  async function poll(address: string, attempted: () => void): Promise<FeedError | undefined> {
    const startedAt = performance.now()
    const once = () => attempt(address).finally(attempted)
    const bounds = { clock, signal, withinMs: intervalMs, attemptMs: deadlineMs }
    const tries = book.health().breaker === 'open' ? once() : withRetries(once, bounds)
    const error = await tries.then(() => undefined, asFeedError)
    if (signal.aborted) return undefined
    if (error !== undefined) book.failed(error)
    const durationMs = performance.now() - startedAt
    await reading.save(book)
    onPoll?.(error === undefined ? { ok: true, durationMs } : { ok: false, kind: error.kind, durationMs })
    return error
  }

  async function pollAndSchedule(address: string, attempted = () => {}): Promise<void> {
    const startedAt = clock.now().getTime()
    const error = await poll(address, attempted).catch(err => {
      log.error({ event: 'poll-fault', err }, 'a poll went wrong')
      return undefined
    })
    if (signal.aborted) return
    // Bounded both ways: the machine's clock may be set while a poll is under way.
    const elapsedMs = Math.max(0, clock.now().getTime() - startedAt)
    const failed = error !== undefined
    const delayMs = pauseBeforeNext({
      ...{ intervalMs, elapsedMs, failed, random },
      retryAfterMs: error?.retryAfterMs,
    })
    nextAt = clock.now().getTime() + delayMs
    timer = clock.setTimeout(() => {
      polling = pollAndSchedule(address)
    }, delayMs)
  }

  function secondsToNext(): number {
    const seconds =
      nextAt === undefined
        ? 1
        : Math.min(Math.ceil((nextAt - clock.now().getTime()) / 1000), options.intervalSeconds)
    return url === undefined ? options.intervalSeconds : Math.max(1, seconds)
  }

  const view: LiveView = {
    ...{ latest: reading.latest, timeSource: reading.timeSource, secondsToNext },
    synthetic: options.synthetic,
    health: () => ({ ...book.health(), ...reading.health() }),
  }
  return {
    view,
    async start() {
      await reading.load()
      const lastGoodAt = reading.latest()?.timestamp ?? null
      book = openPollBook(log, clock, { polling: url !== undefined, lastGoodAt })
      if (url === undefined || signal.aborted) return
      await new Promise<void>(resolve => {
        polling = pollAndSchedule(url, resolve)
        void polling.then(resolve)
        if (reading.latest() !== undefined) resolve()
      })
    },
    async stop() {
      stopping.abort(new Error('the poller is stopped'))
      clock.clearTimeout(timer)
      await polling
    },
  }
}
