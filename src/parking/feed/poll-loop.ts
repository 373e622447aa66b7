import type { Clock } from './clock.ts'
import type { FeedError } from './fetch/feed-error.ts'
import { pauseBeforeNext } from './next-poll.ts'
import type { FeedLog } from './poll-status.ts'

export interface PollLoopOptions {
  readonly clock: Clock
  readonly log: FeedLog
  readonly intervalMs: number
  /** From 0 to just below 1. */
  readonly random: () => number
  /** Asked before each poll; where it is not allowed, again a little later. */
  readonly mayPoll: () => boolean
  /** Polls once, calling `attempted` after each attempt; gives why it failed, if it did. */
  readonly poll: (signal: AbortSignal, attempted: () => void) => Promise<FeedError | undefined>
  /** What is done after a poll, when it is known when the next will be. */
  readonly after: (error: FeedError | undefined) => Promise<void>
}

/** Polls again and again, one poll at a time. */
export interface PollLoop {
  /** Begins, unless it has; resolves after the first attempt, and as soon as it is ended. */
  begin(delayMs?: number): Promise<void>
  /** When the next poll is due, milliseconds since 1970 UTC; undefined before the first is over. */
  nextAt(): number | undefined
  /** Aborts what is under way and polls no more until it is begun again. */
  end(): Promise<void>
}

const NOT_ALLOWED_MS = 1000

export function createPollLoop(options: PollLoopOptions): PollLoop {
  const { clock, log, intervalMs, random, mayPoll, poll, after } = options
  let running: AbortController | undefined
  let nextAt: number | undefined
  let timer: unknown
  let last: Promise<void> = Promise.resolve()

  const guarded = async <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch(err => {
      log.error({ event: 'poll-fault', err }, 'a poll went wrong')
      return undefined
    })

  async function pollOnce(signal: AbortSignal, attempted: () => void): Promise<void> {
    const startedAt = clock.now().getTime()
    const error = await guarded(poll(signal, attempted))
    if (signal.aborted) return
    // Bounded both ways: the machine's clock may be set while a poll is under way.
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
    nextAt: () => nextAt,
    begin(delayMs = 0) {
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
    async end() {
      running?.abort(new Error('the poller is stopped'))
      running = undefined
      clock.clearTimeout(timer)
      await last
    },
  }
}
