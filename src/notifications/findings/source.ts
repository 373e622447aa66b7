import type { SourceState } from '../../store/store.ts'
import { HOUR_MS } from '../../values/time-units.ts'
import type { Finding, Notification } from '../notification.ts'

/** What an attempt to follow a source led to. */
export type WatchedState = Pick<SourceState, 'triedAt' | 'outcome' | 'reason' | 'failingSince'> &
  Partial<Pick<SourceState, 'changed' | 'refused'>>

/** A source that is followed. `source` is its address without secrets. */
export interface WatchedSource {
  readonly dataset: string
  readonly source: string
  /** The hours for which it may fail: NOTIFY_AFTER_H. */
  readonly afterHours: number
}

/**
 * The notifications about a source. Each reason for a refusal is one, until a good release follows. So is a release that somebody
 * should look at, until the next release. So is a source that has failed for too long.
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
