import type { SourceState } from '../../store/store.ts'
import { HOUR_MS } from '../../values/time-units.ts'
import type { Finding, Notification } from '../notification.ts'

/** The outcome of an attempt to follow a source. */
export type WatchedState = Pick<SourceState, 'triedAt' | 'outcome' | 'reason' | 'failingSince'> &
  Partial<Pick<SourceState, 'changed' | 'refused'>>

/** A followed source. `source` is its address without secrets. */
export interface WatchedSource {
  readonly dataset: string
  readonly source: string
  /** Hours of failure before a notification: NOTIFY_AFTER_H. */
  readonly afterHours: number
}

/**
 * Finds the incidents of a source. A refusal lasts until an attempt publishes or finds nothing changed; each reason is a
 * separate incident. An incident about a doubtful release lasts until the next release, and one about failures until the
 * source can be read.
 */
export function findInSource(watched: WatchedSource, state: WatchedState): Finding {
  const { dataset } = watched
  const { outcome, changed } = state
  return {
    lasting: lastingOf(watched, state),
    isOver({ type, data }) {
      if (type === 'source.failing') return data.dataset === dataset && outcome !== 'failed'
      if (type === 'import.doubtful') return data.dataset === dataset && data.release !== changed?.release
      const isGood = outcome === 'published' || outcome === 'not changed'
      return type === 'import.refused' && data.dataset === dataset && isGood
    },
  }
}

function lastingOf({ dataset, source, afterHours }: WatchedSource, state: WatchedState): Notification[] {
  const { triedAt, outcome, failingSince: since, changed, refused } = state
  const reason = state.reason ?? ''
  const doubtful: Notification[] = []
  if (changed?.needsPerson) {
    const { release, notes = [] } = changed
    doubtful.push({ type: 'import.doubtful', data: { dataset, source, release, notes } })
  }
  const notes = refused?.notes ?? []
  if (outcome === 'refused')
    return [...doubtful, { type: 'import.refused', data: { dataset, source, reason, notes } }]
  const hasLasted = since !== null && Date.parse(triedAt) - Date.parse(since) >= afterHours * HOUR_MS
  if (outcome !== 'failed' || !hasLasted) return doubtful
  return [...doubtful, { type: 'source.failing', data: { dataset, source, since, reason } }]
}
