import type { LiveView } from '../live-view.ts'
import type { CarparkWatch } from '../model/carpark-watch.ts'
import { describeVerdict } from '../routes/quality.ts'
import type { LiveEvents } from './live-events.ts'

/** What the feed told last with the quality of each count, and word of every change of either. */
export function judgedEvents(
  live: Pick<LiveView, 'latest'>,
  watch: Pick<CarparkWatch, 'verdict' | 'subscribe'>,
): LiveEvents {
  return {
    current() {
      const observation = live.latest()
      if (observation === undefined) return undefined
      const { timestamp, entries } = observation
      const results = entries.map(entry => ({ ...entry, ...describeVerdict(watch.verdict(entry.code)) }))
      return { timestamp, results }
    },
    subscribe: watch.subscribe,
  }
}
