import type { SourceState } from '../../store/store.ts'
import { backoffMs } from '../../values/retry.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../values/time-units.ts'
import { keptReport, notedOf, notesOf } from '../import/notes.ts'
import type { ImportedSource } from './import-source.ts'
import type { Schedule } from './schedule.ts'

/** The result of one attempt: the imported source, or the reason for the failure. */
export type Attempt =
  | ImportedSource
  | { readonly outcome: 'failed'; readonly reason: string; readonly retryAfterMs?: number | undefined }

/** A source as it was before an attempt, and the attempt. */
export interface AttemptEnd {
  readonly dataset: string
  readonly configuration: string
  readonly schedule: Schedule
  readonly before: SourceState | undefined
  readonly attempt: Attempt
  readonly now: Date
  /** From 0 to just below 1. */
  readonly random: () => number
}

/** The state of a source after an attempt. */
export function nextState(end: AttemptEnd): SourceState {
  const { dataset, configuration, before, attempt, now } = end
  const at = now.toISOString()
  const isGood = attempt.outcome === 'published' || attempt.outcome === 'not changed'
  const { changed = null, refused = null } = before ?? {}
  const isKnown = attempt.outcome === 'failed' || attempt.outcome === 'not changed'
  const report = isKnown ? before?.report : keptReport(attempt.report)
  const failures = isGood ? 0 : (before?.failures ?? 0) + 1
  return {
    dataset,
    configuration,
    failures,
    days: addAttempt(before?.days, now, isGood),
    triedAt: at,
    outcome: attempt.outcome,
    reason: isGood ? null : attempt.reason,
    succeededAt: isGood ? at : (before?.succeededAt ?? null),
    changed:
      attempt.outcome === 'published'
        ? { at, release: attempt.release, ...notedOf(attempt.report) }
        : changed,
    refused:
      attempt.outcome === 'refused'
        ? {
            at: attempt.at,
            reason: attempt.reason,
            hash: attempt.report.contentHash,
            notes: notesOf(attempt.report),
          }
        : refused,
    report,
    failingSince: isGood ? null : (before?.failingSince ?? at),
    dueAt: new Date(now.getTime() + pauseBeforeNext(end, failures)).toISOString(),
    // A refused source is fetched again in full: the operator may have published it by force in the meantime.
    validators: isGood ? attempt.validators : attempt.outcome === 'failed' ? (before?.validators ?? {}) : {},
    hash: isGood ? attempt.hash : (before?.hash ?? null),
  }
}

/** Full days of attempts that a state keeps, besides the present day. */
const KEPT_DAYS = 30

/** Counts an attempt on its day, and forgets days that are too old. */
function addAttempt(days: SourceState['days'] = [], now: Date, isGood: boolean): SourceState['days'] {
  const date = dateOf(now)
  const oldest = dateOf(new Date(now.getTime() - KEPT_DAYS * DAY_MS))
  const { succeeded = 0, failed = 0 } = days.find(day => day.date === date) ?? {}
  return [
    ...days.filter(day => day.date >= oldest && day.date !== date),
    { date, succeeded: succeeded + Number(isGood), failed: failed + Number(!isGood) },
  ]
}

const dateOf = (time: Date) => time.toISOString().slice(0, 10)

/** Whether the last refusal waits for a person: the source has not succeeded since. */
export const isWaiting = (state: SourceState | undefined): boolean =>
  typeof state?.refused?.at === 'string' && state.refused.at > (state.succeededAt ?? '')

const RETRIES = { firstMs: MINUTE_MS, longestMs: HOUR_MS }
const LONGEST_RETRY_AFTER_MS = DAY_MS
/** The share of the pause that is added at random, so that many services do not fetch at the same instant. */
const JITTER = 0.1
const MOST_JITTER_MS = 5 * MINUTE_MS

/**
 * Milliseconds until the next attempt: until the regular time or, after a failure, for a pause that doubles up to an
 * hour, if that is sooner. Waits for the server's Retry-After, but at most a day.
 */
function pauseBeforeNext({ schedule, attempt, now, random }: AttemptEnd, failures: number): number {
  const regularMs = schedule.next(now.getTime()) - now.getTime()
  const isFailed = attempt.outcome === 'failed'
  const pauseMs = isFailed ? Math.min(regularMs, backoffMs(failures, RETRIES)) : regularMs
  const jitterMs = random() * Math.min(pauseMs * JITTER, MOST_JITTER_MS)
  const retryAfterMs = isFailed ? (attempt.retryAfterMs ?? 0) : 0
  return Math.round(Math.max(pauseMs, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS)) + jitterMs)
}
