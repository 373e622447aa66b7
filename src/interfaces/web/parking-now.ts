import { isUnsupported } from '../../parking/forecast/forecast.ts'
import type { ParkingService } from '../../parking/service.ts'
import type { ParkingPageOptions, ParkingRow } from './parking-page.ts'

/** The present free spaces for the page, without entries of the feed that are not car parks. */
export function parkingNow(
  parking: Pick<ParkingService, 'clock' | 'latest' | 'quality' | 'forecast'>,
  isInService: boolean,
): Omit<ParkingPageOptions, 'site' | 'origin'> {
  const observation = isInService ? parking.latest() : undefined
  const { clock } = parking
  if (observation === undefined) return { rows: undefined, at: 0, clock }
  const rows = observation.entries.flatMap((entry): ParkingRow[] => {
    const assessment = parking.quality(entry.code)
    if (assessment.reason === 'no-car-park-record') return []
    const forecast = parking.forecast(entry.code)
    return [{ entry, assessment, forecast: isUnsupported(forecast) ? undefined : forecast }]
  })
  return { rows, at: Date.parse(observation.timestamp), clock }
}
