import type { Notification } from './notification.ts'

/** What came of following a source once. */
export type SourceOutcome =
  | { readonly outcome: 'published' | 'not changed' }
  | { readonly outcome: 'refused'; readonly reason: string }
  /** `since` is the time of the first failure in a row, ISO 8601 UTC. */
  | { readonly outcome: 'failed'; readonly reason: string; readonly since: string }

/** A source that is followed. `source` is its address without secrets. */
export interface WatchedSource {
  readonly dataset: string
  readonly source: string
  /** The hours for which it may fail: NOTIFY_AFTER_H. */
  readonly afterHours: number
}

const HOUR_MS = 3_600_000

/**
 * Returns a function that takes each outcome of a source in turn and gives what the operator is to be told of it: a refusal
 * once for each reason until something is published, a failure once when it has lasted too long, and its end.
 */
export function watchSource({ dataset, source, afterHours }: WatchedSource) {
  const toldReasons = new Set<string>()
  let failingSince: string | undefined

  return (outcome: SourceOutcome, now: Date): Notification[] => {
    if (outcome.outcome === 'failed') {
      const { reason, since } = outcome
      const isLong = now.getTime() - Date.parse(since) >= afterHours * HOUR_MS
      if (!isLong || failingSince !== undefined) return []
      failingSince = since
      return [{ type: 'source.failing', data: { dataset, source, since, reason } }]
    }
    const told: Notification[] = []
    if (failingSince !== undefined)
      told.push({ type: 'source.recovered', data: { dataset, source, since: failingSince } })
    failingSince = undefined
    if (outcome.outcome === 'published') toldReasons.clear()
    if (outcome.outcome === 'refused' && !toldReasons.has(outcome.reason)) {
      toldReasons.add(outcome.reason)
      told.push({ type: 'import.refused', data: { dataset, source, reason: outcome.reason } })
    }
    return told
  }
}
