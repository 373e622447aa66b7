import { Counter, Gauge, type Registry } from 'prom-client'
import type { PollResult } from '../../parking/feed/poller.ts'
import { FEED_CLOCKS, type LiveView } from '../../parking/live-view.ts'

export interface FeedFigures {
  /** Counts one poll of the feed. */
  countPoll(poll: PollResult): void
}

/** The figures of the live feed. */
export function feedFigures(registry: Registry, live: LiveView): FeedFigures {
  const registers = [registry]
  const polls = new Counter({
    name: 'pds_feed_polls_total',
    help: 'Polls of the live feed, by outcome: ok, or the kind of failure.',
    labelNames: ['outcome'],
    registers,
  })
  new Gauge({
    name: 'pds_feed_leading',
    help: '1 if this instance asks the feed for all, else 0; absent where the store is not shared.',
    registers,
    collect() {
      const { role } = live.health()
      if (role === undefined) this.remove()
      else this.set(role === 'leading' ? 1 : 0)
    },
  })
  new Gauge({
    name: 'pds_feed_failed_polls',
    help: 'Polls of the live feed that failed in a row; 0 while it works.',
    registers,
    collect() {
      this.set(live.health().failedPolls)
    },
  })
  new Gauge({
    name: 'pds_feed_breaker_open',
    help: '1 while the feed is only probed, after three failed polls in a row.',
    registers,
    collect() {
      this.set(live.health().breaker === 'open' ? 1 : 0)
    },
  })
  new Gauge({
    name: 'pds_feed_clock',
    help: "1 for the state that the feed's clock is in: ok, ahead, behind or unreadable.",
    labelNames: ['state'],
    registers,
    collect() {
      const { clock } = live.health()
      for (const state of FEED_CLOCKS) this.set({ state }, state === clock ? 1 : 0)
    },
  })
  new Gauge({
    name: 'pds_live_reading_age_seconds',
    help: 'Age of the last good reading, by its timestamp; absent before the first.',
    registers,
    collect() {
      const { readingAgeSeconds } = live.health()
      this.reset()
      if (readingAgeSeconds !== null) this.set(readingAgeSeconds)
      else this.remove()
    },
  })
  return { countPoll: poll => polls.inc({ outcome: poll.ok ? 'ok' : poll.kind }) }
}
