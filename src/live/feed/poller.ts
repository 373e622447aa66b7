import type { Observation, Store } from '../../store/store.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { LiveView } from '../live-view.ts'
import { asFeedError, type FeedErrorKind } from './feed-error.ts'
import { DEADLINE_MS, fetchFeed, type Validators } from './fetch-feed.ts'
import { observe } from './observing.ts'
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
  const { url, store, log, clock = systemClock, onPoll } = options
  const intervalMs = options.intervalSeconds * 1000
  const deadlineMs = Math.min(DEADLINE_MS, intervalMs)
  const stopping = new AbortController()
  const { signal } = stopping
  let book: PollBook = openPollBook(log, clock, { polling: url !== undefined, lastGoodAt: null })
  let latest: Observation | undefined
  let savedTimestamp: string | undefined
  let validators: Validators = {}
  let nextAt: number | undefined
  let timer: unknown
  let polling: Promise<void> | undefined

  async function load(): Promise<void> {
    try {
      latest = await store.latestObservation()
      savedTimestamp = latest?.timestamp
      const lastGoodAt = latest?.timestamp ?? null
      book = openPollBook(log, clock, { polling: url !== undefined, lastGoodAt })
    } catch (error) {
      log.error({ event: 'readings-not-loaded', err: error }, 'the stored live reading could not be loaded')
    }
  }

  async function attempt(address: string): Promise<void> {
    const answer = await fetchFeed(address, { validators, deadlineMs, signal })
    if (answer.text === undefined) return book.good()
    const context = { now: clock.now(), timeZone: options.timeZone, last: latest }
    const { observation, warnings } = observe(answer.text, context)
    latest = observation ?? latest
    // Kept only now: an answer that is not usable must be sent again in full.
    validators = answer.validators
    book.good(warnings)
  }

  async function poll(address: string, attempted: () => void): Promise<void> {
    const startedAt = performance.now()
    const bounds = { clock, signal, withinMs: intervalMs, attemptMs: deadlineMs }
    const result = await withRetries(() => attempt(address).finally(attempted), bounds).then(
      () => ({ ok: true }) as const,
      error => ({ ok: false, error: asFeedError(error) }) as const,
    )
    if (signal.aborted) return
    if (!result.ok) book.failed(result.error)
    const durationMs = performance.now() - startedAt
    await save()
    onPoll?.(result.ok ? { ok: true, durationMs } : { ok: false, kind: result.error.kind, durationMs })
  }

  /** Saves each timestamp once; one that could not be saved is tried again with the next poll. */
  async function save(): Promise<void> {
    if (latest === undefined || latest.timestamp === savedTimestamp) return
    try {
      await store.saveObservation(latest)
      savedTimestamp = latest.timestamp
      book.saved()
    } catch (error) {
      book.notSaved(error)
    }
  }

  async function pollAndSchedule(address: string, attempted = () => {}): Promise<void> {
    const startedAt = clock.now().getTime()
    await poll(address, attempted).catch(err => log.error({ event: 'poll-fault', err }, 'a poll went wrong'))
    if (signal.aborted) return
    // Bounded both ways: the machine's clock may be set while a poll is under way.
    const elapsedMs = Math.max(0, clock.now().getTime() - startedAt)
    const delayMs = Math.max(0, intervalMs - elapsedMs)
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

  return {
    view: { latest: () => latest, secondsToNext, synthetic: options.synthetic, health: () => book.health() },
    async start() {
      await load()
      if (url === undefined || signal.aborted) return
      await new Promise<void>(resolve => {
        polling = pollAndSchedule(url, resolve)
        void polling.then(resolve)
        if (latest !== undefined) resolve()
      })
    },
    async stop() {
      stopping.abort(new Error('the poller is stopped'))
      clock.clearTimeout(timer)
      await polling
    },
  }
}
