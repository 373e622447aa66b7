import type { SourceState } from '../store/store.ts'
import type { Notification } from './notification.ts'

/** What an attempt to follow a source led to. */
export type WatchedState = Pick<SourceState, 'triedAt' | 'outcome' | 'reason' | 'failingSince'>

/** A source that is followed. `source` is its address without secrets. */
export interface WatchedSource {
  readonly dataset: string
  readonly source: string
  /** The hours for which it may fail: NOTIFY_AFTER_H. */
  readonly afterHours: number
}

const HOUR_MS = 3_600_000

/**
 * Returns a function that takes the state of a source after each attempt and gives what the operator is to be told of it: a refusal
 * once for each reason until something is published, a failure once when it has lasted too long, and its end.
 */
export function watchSource({ dataset, source, afterHours }: WatchedSource) {
  const toldReasons = new Set<string>()
  let failingSince: string | undefined

  return ({ triedAt, outcome, reason: why, failingSince: since }: WatchedState): Notification[] => {
    const reason = why ?? ''
    if (outcome === 'failed') {
      if (since === null || failingSince !== undefined) return []
      if (Date.parse(triedAt) - Date.parse(since) < afterHours * HOUR_MS) return []
      failingSince = since
      return [{ type: 'source.failing', data: { dataset, source, since, reason } }]
    }
    const told: Notification[] = []
    if (failingSince !== undefined)
      told.push({ type: 'source.recovered', data: { dataset, source, since: failingSince } })
    failingSince = undefined
    if (outcome === 'published') toldReasons.clear()
    if (outcome === 'refused' && !toldReasons.has(reason)) {
      toldReasons.add(reason)
      told.push({ type: 'import.refused', data: { dataset, source, reason } })
    }
    return told
  }
}
