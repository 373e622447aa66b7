import type { FetchError } from '../../sources/fetch/fetch-error.ts'
import type { Clock } from '../../values/clock.ts'
import type { EventLog } from '../../values/event-log.ts'
import { type FeedHealth, HEALTHY } from './feed.ts'
import type { FeedWarning } from './mapping.ts'

/** The part of the feed's health that comes from polling. */
export type PollHealth = Omit<FeedHealth, 'clock' | 'readingAgeSeconds' | 'role'>

/** The number of warnings of a response that are logged in full; the others are counted. */
const LOGGED_WARNINGS = 20
/** The circuit breaker opens after this many failed polls: one transient failure does not open it. */
const BREAKS_AFTER = 3
/** A fault in every other response is one event: it is over after this many responses in a row without it. */
const CLEAN_AFTER = 3

/** Keeps the outcome of polling, and logs each change once. */
export function createPollStatus(log: EventLog, clock: Clock, polling: boolean) {
  let health: PollHealth = { ...HEALTHY, polling }
  let warned = ''
  let cleanInTurn = 0
  return {
    /** Records a good response with its warnings. Without a list (304), the warnings of the last response still apply. */
    good(warnings?: readonly FeedWarning[]): void {
      const now = clock.now()
      if (health.failingSince !== null) {
        const seconds = Math.round(Math.max(0, now.getTime() - Date.parse(health.failingSince)) / 1000)
        log.info({ event: 'feed-back', seconds, polls: health.failedPolls }, 'the live feed works again')
      }
      health = { ...HEALTHY, polling, lastGoodAt: now.toISOString() }
      if (warnings === undefined) return
      // The same fault every minute is one event, not a thousand a day.
      const key = warnings.map(({ fault }) => fault).join('\n')
      cleanInTurn = key === '' ? cleanInTurn + 1 : 0
      if (key !== '' && key !== warned) {
        const texts = warnings.slice(0, LOGGED_WARNINGS).map(({ text }) => text)
        const details = { event: 'feed-warnings', warnings: texts, count: warnings.length }
        log.warn(details, 'the live feed has faults; the rest of it is served')
      }
      if (key !== '' || cleanInTurn >= CLEAN_AFTER) warned = key
    },
    failed(error: FetchError): void {
      if (health.failingSince === null) {
        const details = { event: 'feed-broken', kind: error.kind, reason: error.message }
        log.error(details, 'the live feed fails; the last good reading is served')
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
    /** Continues the status of another instance or another time. */
    resume(known: Partial<PollHealth>): void {
      health = { ...health, ...known, polling }
    },
    health: () => health,
  }
}
