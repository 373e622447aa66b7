import { timeBeside } from '../words/island-time.ts'
import type { Count } from './row.ts'

/** Why there is no number, or undefined where there is one; `at` is the time of the other counts. */
export function whyNoNumber(
  { spaces, quality, observedAt, changedAt }: Count,
  at: string,
): string | undefined {
  if (spaces === null)
    return observedAt === null
      ? 'The feed has not counted this car park yet.'
      : `The feed has not counted this car park since ${timeBeside(observedAt, at)}.`
  switch (quality) {
    case 'frozen':
      return changedAt === null
        ? 'The counter has not moved for long and seems to be stuck: its counts are not shown.'
        : `The counter has not moved since ${timeBeside(changedAt, at)} and seems to be stuck: its counts are not shown.`
    case 'stale':
      return observedAt === null
        ? 'There is no new count.'
        : `There is no new count since ${timeBeside(observedAt, at)}.`
    case 'implausible':
      return 'The counter shows a number that is not possible.'
    case 'missing':
      return 'This car park is not being counted at the moment.'
    default:
      return undefined
  }
}
