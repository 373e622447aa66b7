import { timeBeside } from '../words/island-time.ts'
import type { Count } from './row.ts'

/** No counter that moved within this time is said not to have moved. */
const LONG_MS = 60 * 60_000

/** Why there is no number, or undefined where there is one; `at` is the time of the other counts. */
export function whyNoNumber(
  { spaces, quality, observedAt, changedAt }: Count,
  at: string,
): string | undefined {
  if (quality === 'unknown') return 'The service has just started and has not checked this count yet.'
  if (quality === 'closed') return undefined
  if (spaces === null && quality === 'implausible')
    return 'The feed lists this car park without a number that can be used.'
  if (spaces === null)
    return observedAt === null
      ? 'The feed has not counted this car park yet.'
      : `The feed has not counted this car park since ${timeBeside(observedAt, at)}.`
  switch (quality) {
    case 'frozen':
      return `The counter ${howStill(changedAt, at)} and seems to be stuck: its counts are not shown.`
    case 'stale':
      return observedAt === null
        ? 'There is no new count.'
        : `There is no new count since ${timeBeside(observedAt, at)}.`
    case 'implausible':
      return 'The counter shows a number that cannot be right.'
    case 'missing':
      return 'This car park is not being counted at the moment.'
    default:
      return undefined
  }
}

/** A counter that is stuck may still move by one now and then. */
const howStill = (changedAt: Count['changedAt'], at: string): string =>
  changedAt === null || Date.parse(at) - Date.parse(changedAt) < LONG_MS
    ? 'hardly moves'
    : `has not moved since ${timeBeside(changedAt, at)}`
