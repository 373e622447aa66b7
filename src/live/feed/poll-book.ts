import type { Clock } from '../clock.ts'
import type { FeedHealth } from '../live-view.ts'
import type { FeedError } from './feed-error.ts'

/** The part of a structural logger (pino has it) that the feed needs. */
export interface FeedLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** Keeps how the feed and the saving of its readings fare, and logs each change once. */
export interface PollBook {
  /** The feed answered well; `warnings` say what in it was not as it should be, none given: the same as before. */
  good(warnings?: readonly string[]): void
  failed(error: FeedError): void
  saved(): void
  notSaved(error: unknown): void
  health(): FeedHealth
}

/** Warnings of a payload that are logged in full; the others are counted. */
const LOGGED_WARNINGS = 20

/** Opens the book. `lastGoodAt` is the time of the reading that the store kept. */
export function openPollBook(
  log: FeedLog,
  clock: Clock,
  start: Pick<FeedHealth, 'polling' | 'lastGoodAt'>,
): PollBook {
  let health: FeedHealth = { failingSince: null, lastError: null, ...start }
  let warned = ''
  let saving = true
  return {
    good(warnings) {
      const now = clock.now()
      if (health.failingSince !== null) {
        const seconds = Math.round((now.getTime() - Date.parse(health.failingSince)) / 1000)
        log.info({ event: 'feed-back', seconds }, 'the live feed is back')
      }
      health = { ...health, failingSince: null, lastError: null, lastGoodAt: now.toISOString() }
      if (warnings === undefined) return
      // The same fault every minute is one event, not a thousand a day.
      const key = warnings.join('\n')
      if (key !== '' && key !== warned) {
        const details = { warnings: warnings.slice(0, LOGGED_WARNINGS), count: warnings.length }
        log.warn({ event: 'feed-warnings', ...details }, 'the live feed is not wholly as it should be')
      }
      warned = key
    },
    failed(error) {
      if (health.failingSince === null) {
        const details = { event: 'feed-broken', kind: error.kind, reason: error.message }
        log.error(details, 'the live feed is failing; the last good reading goes on being served')
      }
      const failingSince = health.failingSince ?? clock.now().toISOString()
      health = { ...health, failingSince, lastError: error.message }
    },
    saved() {
      if (!saving) log.info({ event: 'readings-saved-again' }, 'live readings are saved again')
      saving = true
    },
    notSaved(error) {
      if (saving) log.error({ event: 'readings-not-saved', err: error }, 'a live reading could not be saved')
      saving = false
    },
    health: () => health,
  }
}
