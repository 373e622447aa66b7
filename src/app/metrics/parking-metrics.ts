import type { Registry } from 'prom-client'
import { FEED_CLOCKS } from '../../parking/feed/feed.ts'
import { QUALITIES } from '../../parking/quality/quality.ts'
import type { ParkingService } from '../../parking/service.ts'
import { gauge } from './collected.ts'

/** Adds the metrics of the live feed and of the quality of its counts. */
export function parkingMetrics(
  registry: Registry,
  { health, qualities }: Pick<ParkingService, 'health' | 'qualities'>,
): void {
  gauge(
    registry,
    'pds_feed_leading',
    '1 if this instance polls the feed for all, else 0; absent where the store is not shared.',
    () => {
      const { role } = health()
      return role && Number(role === 'leading')
    },
  )
  gauge(
    registry,
    'pds_feed_failed_polls',
    'Polls of the live feed that failed in a row; 0 while it works.',
    () => health().failedPolls,
  )
  gauge(
    registry,
    'pds_feed_breaker_open',
    '1 while the circuit breaker is open, after three failed polls in a row.',
    () => Number(health().breaker === 'open'),
  )
  gauge(
    registry,
    'pds_feed_clock',
    "1 for the present state of the feed's clock: ok, ahead, behind or unreadable.",
    {
      label: 'state',
      values() {
        const { clock } = health()
        return FEED_CLOCKS.map(state => [state, Number(state === clock)])
      },
    },
  )
  gauge(
    registry,
    'pds_live_reading_age_seconds',
    'Age of the last good reading, by its timestamp; absent before the first.',
    () => health().readingAgeSeconds ?? undefined,
  )
  gauge(registry, 'pds_live_carparks', 'Car parks that the feed counts or should count, by quality.', {
    label: 'quality',
    values() {
      const assessments = [...qualities().values()]
      return QUALITIES.map(quality => [quality, assessments.filter(each => each.quality === quality).length])
    },
  })
}
