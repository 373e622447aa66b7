import { carparksByIdOrCode } from '../../datasets/carparks/lookup.ts'
import { isUnsupported } from '../../parking/forecast/forecast.ts'
import type { ParkingService } from '../../parking/service.ts'
import type { Snapshot } from '../../releases/snapshots/snapshot.ts'
import type { Observation } from '../../store/store.ts'
import type { ParkingPageOptions, ParkingRow } from './parking-page.ts'

type Parking = Pick<ParkingService, 'carParks' | 'clock' | 'latest' | 'quality' | 'qualities' | 'forecast'>

/**
 * The present free spaces for the page: the entries of the feed that are car parks, in its order, and after them the car
 * parks that it lacks. `published` is the release of car parks.
 */
export function parkingNow(
  parking: Parking,
  published: Snapshot | undefined,
  isInService: boolean,
): Omit<ParkingPageOptions, 'site' | 'origin'> {
  const observation = isInService ? parking.latest() : undefined
  const { clock } = parking
  if (observation === undefined) return { rows: undefined, at: 0, clock }
  const rows = observation.entries.flatMap(({ code, name, spaces }): ParkingRow[] => {
    const assessment = parking.quality(code)
    if (assessment.reason === 'no-car-park-record') return []
    const forecast = parking.forecast(code)
    return [{ name, spaces, assessment, forecast: isUnsupported(forecast) ? undefined : forecast }]
  })
  const at = Date.parse(observation.timestamp)
  return { rows: [...rows, ...uncounted(parking, published, observation)], at, clock }
}

/**
 * The car parks without an entry, by name: as long as the release has their code, or, without any release, for the week in
 * which their quality is known.
 */
function uncounted(
  parking: Parking,
  published: Snapshot | undefined,
  { entries }: Observation,
): ParkingRow[] {
  const listed = new Set(entries.map(({ code }) => code.toUpperCase()))
  const names = new Map(parking.carParks().map(({ code, name }) => [code.toUpperCase(), name]))
  const records = published && carparksByIdOrCode(published)
  return [...parking.qualities()]
    .flatMap(([code, assessment]): ParkingRow[] => {
      const record = records?.get(code.toLowerCase())
      if (listed.has(code) || (records !== undefined && record === undefined)) return []
      const name = names.get(code) ?? String(record?.name ?? code)
      return [{ name, spaces: null, assessment, forecast: undefined }]
    })
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))
}
