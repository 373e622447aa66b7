import type { SourceState } from '../../store/store.ts'
import type { Finding, Notification } from '../notification.ts'

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
 * What is to be told of a source: each reason for which it is refused, until something is published; and that it has failed
 * for too long.
 */
export function findInSource(watched: WatchedSource, state: WatchedState): Finding {
  const { dataset } = watched
  const { outcome } = state
  return {
    lasting: lastingOf(watched, state),
    isOver({ type, data }) {
      if (type === 'source.failing') return data.dataset === dataset && outcome !== 'failed'
      return type === 'import.refused' && data.dataset === dataset && outcome === 'published'
    },
  }
}

function lastingOf({ dataset, source, afterHours }: WatchedSource, state: WatchedState): Notification[] {
  const { triedAt, outcome, failingSince: since } = state
  const reason = state.reason ?? ''
  if (outcome === 'refused') return [{ type: 'import.refused', data: { dataset, source, reason } }]
  const hasLasted = since !== null && Date.parse(triedAt) - Date.parse(since) >= afterHours * HOUR_MS
  if (outcome !== 'failed' || !hasLasted) return []
  return [{ type: 'source.failing', data: { dataset, source, since, reason } }]
}
