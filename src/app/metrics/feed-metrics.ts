import { Counter, Gauge, type Registry } from 'prom-client'
import { FEED_CLOCKS } from '../../parking/feed/feed.ts'
import type { PollResult } from '../../parking/feed/poller.ts'
import type { ParkingService } from '../../parking/service.ts'

export interface FeedMetrics {
  /** Counts one poll of the feed. */
  countPoll(poll: PollResult): void
}

/** The metrics of the live feed. */
export function feedMetrics(registry: Registry, parking: Pick<ParkingService, 'health'>): FeedMetrics {
  const registers = [registry]
  const polls = new Counter({
    name: 'pds_feed_polls_total',
    help: 'Polls of the live feed, by outcome: ok, or the kind of failure.',
    labelNames: ['outcome'],
    registers,
  })
  new Gauge({
    name: 'pds_feed_leading',
    help: '1 if this instance polls the feed for all, else 0; absent where the store is not shared.',
    registers,
    collect() {
      const { role } = parking.health()
      if (role === undefined) this.remove()
      else this.set(role === 'leading' ? 1 : 0)
    },
  })
  new Gauge({
    name: 'pds_feed_failed_polls',
    help: 'Polls of the live feed that failed in a row; 0 while it works.',
    registers,
    collect() {
      this.set(parking.health().failedPolls)
    },
  })
  new Gauge({
    name: 'pds_feed_breaker_open',
    help: '1 while the circuit breaker is open, after three failed polls in a row.',
    registers,
    collect() {
      this.set(parking.health().breaker === 'open' ? 1 : 0)
    },
  })
  new Gauge({
    name: 'pds_feed_clock',
    help: "1 for the present state of the feed's clock: ok, ahead, behind or unreadable.",
    labelNames: ['state'],
    registers,
    collect() {
      const { clock } = parking.health()
      for (const state of FEED_CLOCKS) this.set({ state }, state === clock ? 1 : 0)
    },
  })
  new Gauge({
    name: 'pds_live_reading_age_seconds',
    help: 'Age of the last good reading, by its timestamp; absent before the first.',
    registers,
    collect() {
      const { readingAgeSeconds } = parking.health()
      this.reset()
      if (readingAgeSeconds !== null) this.set(readingAgeSeconds)
      else this.remove()
    },
  })
  return { countPoll: poll => polls.inc({ outcome: poll.ok ? 'ok' : poll.kind }) }
}
