import { isUnsupported } from '../../parking/forecast/forecast.ts'
import type { LiveView } from '../../parking/live-view.ts'
import type { CarparkWatch } from '../../parking/model/carpark-watch.ts'
import type { ParkingPageOptions, ParkingRow } from './parking-page.ts'

/** What is known of free spaces now. Entries of the feed that are no car parks are left out. */
export function parkingNow(
  live: Pick<LiveView, 'latest'>,
  watch: Pick<CarparkWatch, 'clock' | 'verdict' | 'forecast'>,
  isInService: boolean,
): Omit<ParkingPageOptions, 'synthetic'> {
  const observation = isInService ? live.latest() : undefined
  const { clock } = watch
  if (observation === undefined) return { rows: undefined, at: 0, clock }
  const rows = observation.entries.flatMap((entry): ParkingRow[] => {
    const verdict = watch.verdict(entry.code)
    if (verdict.reason === 'no-car-park-record') return []
    const forecast = watch.forecast(entry.code)
    return [{ entry, verdict, forecast: isUnsupported(forecast) ? undefined : forecast }]
  })
  return { rows, at: Date.parse(observation.timestamp), clock }
}
