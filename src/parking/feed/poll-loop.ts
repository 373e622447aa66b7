import type { FetchError } from '../../sources/fetch/fetch-error.ts'
import type { Clock } from '../../values/clock.ts'
import { shortened } from '../../values/retry.ts'
import { MINUTE_MS } from '../../values/time-units.ts'
import type { FeedLog } from './poll-status.ts'

export interface PollLoopOptions {
  readonly clock: Clock
  readonly log: FeedLog
  readonly intervalMs: number
  /** From 0 to just below 1. */
  readonly random: () => number
  /** Asked before each poll; a poll that is not allowed is postponed a little. */
  readonly mayPoll: () => boolean
  /** Polls once, calling `attempted` after each attempt; resolves to the reason of a failure. */
  readonly poll: (signal: AbortSignal, attempted: () => void) => Promise<FetchError | undefined>
  /** Called after a poll, once the time of the next is known. */
  readonly after: (error: FetchError | undefined) => Promise<void>
}

const NOT_ALLOWED_MS = 1000

/** Repeats a poll, one at a time. */
export function createPollLoop(options: PollLoopOptions) {
  const { clock, log, intervalMs, random, mayPoll, poll, after } = options
  let running: AbortController | undefined
  let nextAt: number | undefined
  let timer: unknown
  let last: Promise<void> = Promise.resolve()

  const guarded = async <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch(err => {
      log.error({ event: 'poll-fault', err }, 'a poll of the live feed ended with an unexpected error')
      return undefined
    })

  async function pollOnce(signal: AbortSignal, attempted: () => void): Promise<void> {
    const startedAt = clock.now().getTime()
    const error = await guarded(poll(signal, attempted))
    if (signal.aborted) return
    // Bounded both ways: the machine's clock may be set during a poll.
    const elapsedMs = Math.max(0, clock.now().getTime() - startedAt)
    const failed = error !== undefined
    const retryAfterMs = error?.retryAfterMs
    const delayMs = pauseBeforeNext({ intervalMs, elapsedMs, failed, random, retryAfterMs })
    nextAt = clock.now().getTime() + delayMs
    await guarded(after(error))
    const leftMs = nextAt - clock.now().getTime()
    if (!signal.aborted) schedule(signal, Math.min(Math.max(0, leftMs), delayMs))
  }

  function schedule(signal: AbortSignal, delayMs: number, attempted = () => {}): void {
    timer = clock.setTimeout(() => {
      if (mayPoll()) last = pollOnce(signal, attempted).finally(attempted)
      else schedule(signal, NOT_ALLOWED_MS, attempted)
    }, delayMs)
  }

  return {
    /** The time of the next poll, milliseconds since 1970 UTC; undefined before the end of the first. */
    nextAt: () => nextAt,
    /** Begins, unless it has; resolves after the first attempt, and as soon as the loop ends. */
    begin(delayMs = 0): Promise<void> {
      if (running !== undefined) return Promise.resolve()
      running = new AbortController()
      const { signal } = running
      return new Promise(resolve => {
        signal.addEventListener('abort', () => resolve(), { once: true })
        const before = last
        if (delayMs > 0) schedule(signal, delayMs, resolve)
        else
          last = before.then(() => (signal.aborted ? undefined : pollOnce(signal, resolve))).finally(resolve)
      })
    },
    /** Aborts the poll under way and polls no more until it begins again. */
    async end(): Promise<void> {
      running?.abort(new Error('the poller is stopped'))
      running = undefined
      clock.clearTimeout(timer)
      await last
    },
  }
}

/** The longest pause after a failure, whatever the interval and Retry-After are. */
const LONGEST_MS = 5 * MINUTE_MS

/** What decides the time of the next poll. */
export interface PollEnd {
  readonly intervalMs: number
  /** The duration of the poll. */
  readonly elapsedMs: number
  readonly failed: boolean
  readonly retryAfterMs?: number | undefined
  /** From 0 to just below 1. */
  readonly random: () => number
}

/**
 * Milliseconds from the end of a poll to the next. Polls begin an interval apart; after a failure never more than that,
 * so that the feed is back within one interval, unless it sent a longer Retry-After.
 */
export function pauseBeforeNext(end: PollEnd): number {
  const { intervalMs, elapsedMs, failed, retryAfterMs = 0, random } = end
  const apartMs = failed ? shortened(Math.min(intervalMs, LONGEST_MS), random) : intervalMs
  return Math.max(0, Math.round(apartMs) - elapsedMs, Math.min(retryAfterMs, LONGEST_MS))
}
