import { counts } from '../texts/en/counts.ts'
import { text } from '../texts/text.ts'
import { timeBeside } from '../words/island-time.ts'
import type { Count } from './row.ts'

/** A counter that moved within this time is not said to stand still. */
const LONG_MS = 60 * 60_000

/** Why there is no number, or undefined if there is a number; `at` is the time of the other counts. */
export function whyNoNumber(
  { spaces, quality, observedAt, changedAt }: Count,
  at: string,
): string | undefined {
  if (quality === 'unknown') return counts.notChecked
  if (quality === 'closed') return undefined
  if (spaces === null && quality === 'implausible') return counts.noNumber
  if (spaces === null)
    return observedAt === null
      ? counts.neverCounted
      : text(counts.notCountedSince, { time: timeBeside(observedAt, at) })
  switch (quality) {
    case 'frozen':
      return stuckFor(changedAt, at)
    case 'stale':
      return observedAt === null
        ? counts.noNewCount
        : text(counts.noNewCountSince, { time: timeBeside(observedAt, at) })
    case 'implausible':
      return counts.implausible
    case 'missing':
      return counts.missing
    default:
      return undefined
  }
}

/** A counter that is stuck may still move by one now and then. */
const stuckFor = (changedAt: Count['changedAt'], at: string): string =>
  changedAt === null || Date.parse(at) - Date.parse(changedAt) < LONG_MS
    ? counts.stuck
    : text(counts.stuckSince, { time: timeBeside(changedAt, at) })
