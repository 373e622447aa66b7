import { type FeedHealth, HEALTHY } from '../live-view.ts'
import type { Clock } from './clock.ts'
import type { FeedError } from './fetch/feed-error.ts'
import type { Warning } from './mapping/observing.ts'

/** The part of a structural logger (pino has it) that the feed needs. */
export interface FeedLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** Keeps how the feed and the saving of its readings fare, and logs each change once. */
export interface PollBook {
  /** The feed answered well; `warnings` say what in it was not as it should be, none given: the same as before. */
  good(warnings?: readonly Warning[]): void
  failed(error: FeedError): void
  saved(): void
  notSaved(error: unknown): void
  /** What of the feed's health comes from polling. */
  health(): PollHealth
}

export type PollHealth = Omit<FeedHealth, 'clock' | 'readingAgeSeconds' | 'role'>

/** Warnings of a payload that are logged in full; the others are counted. */
const LOGGED_WARNINGS = 20
/** A breaker of this few failures asks a dead feed for little, and one moment of trouble does not trip it. */
const BREAKS_AFTER = 3
/** A fault in every other answer is one event as well: it is over after so many answers in a row without any. */
const CLEAN_AFTER = 3

/**
 * Opens the book, or goes on with that of another instance. `lastGoodAt` is at first the time of the reading that the
 * store kept.
 */
export function openPollBook(
  log: FeedLog,
  clock: Clock,
  start: Pick<FeedHealth, 'polling' | 'lastGoodAt'> & Partial<PollHealth>,
): PollBook {
  let health: PollHealth = { ...HEALTHY, ...start }
  let warned = ''
  let cleanInTurn = 0
  let saving = true
  return {
    good(warnings) {
      const now = clock.now()
      if (health.failingSince !== null) {
        const away = Math.max(0, now.getTime() - Date.parse(health.failingSince))
        const seconds = Math.round(away / 1000)
        log.info({ event: 'feed-back', seconds, polls: health.failedPolls }, 'the live feed is back')
      }
      health = { ...HEALTHY, polling: health.polling, lastGoodAt: now.toISOString() }
      if (warnings === undefined) return
      // The same fault every minute is one event, not a thousand a day.
      const key = warnings.map(({ fault }) => fault).join('\n')
      cleanInTurn = key === '' ? cleanInTurn + 1 : 0
      if (key !== '' && key !== warned) {
        const texts = warnings.slice(0, LOGGED_WARNINGS).map(({ text }) => text)
        const details = { event: 'feed-warnings', warnings: texts, count: warnings.length }
        log.warn(details, 'the live feed is not wholly as it should be')
      }
      if (key !== '' || cleanInTurn >= CLEAN_AFTER) warned = key
    },
    failed(error) {
      if (health.failingSince === null) {
        const details = { event: 'feed-broken', kind: error.kind, reason: error.message }
        log.error(details, 'the live feed is failing; the last good reading goes on being served')
      }
      const failedPolls = health.failedPolls + 1
      health = {
        ...health,
        failingSince: health.failingSince ?? clock.now().toISOString(),
        lastError: error.message,
        failedPolls,
        breaker: failedPolls >= BREAKS_AFTER ? 'open' : 'closed',
      }
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
