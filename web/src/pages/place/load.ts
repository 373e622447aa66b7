import type { components } from '../../../../client/src/schema.ts'
import type { ApiError, GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { loadCarParks } from '../../parking/load-counts.ts'
import type { CarPark, LiveCarPark } from '../../parking/records.ts'
import { originOf } from '../../parts/origin.tsx'
import { loadMeanings } from '../../places/enumerations.ts'
import { isLocated, kindOf, type ListedPlace, type Place, toPlace } from '../../places/kinds.ts'
import { withOffers } from '../../places/offers.ts'
import { meaningOf } from '../../texts/meaning.ts'
import { carParkFacts, factsOf } from './facts.ts'

type Schemas = components['schemas']

/** A record with a page, with the fields that only some datasets have. */
export type PlaceRecord = Pick<Place, 'id' | 'latitude' | 'longitude'> &
  Partial<Omit<Schemas['Toilet'], 'owner'>> &
  Partial<Omit<Schemas['RecyclingCentre'], 'id'>> &
  Partial<Omit<Schemas['Defibrillator'], 'id'>> &
  Partial<Pick<CarPark, 'liveTrackingCode'>> & {
    readonly provenance?: Schemas['Provenance']
    readonly owner?: { readonly name: string | null } | null
  }

type Removed = NonNullable<NonNullable<ApiError['problem']>['removed']>

/** A place in words with its neighbours, or an address without a place. */
export type PlaceData = Awaited<ReturnType<typeof loadPlace>>
export type NoPlaceData = Extract<PlaceData, { readonly place: null }>
export type FoundPlace = Exclude<PlaceData, NoPlaceData>

const NEARBY = 5

/** Gets a place and everything on its page, except for the count of a car park. */
export async function loadPlace(get: GetJson, dataset: string, id: string) {
  if (kindOf(dataset) === undefined) return { place: null, dataset }
  const path = `/v1/${dataset}/${encodeURIComponent(id)}`
  const record = await get<PlaceRecord>(`${path}?include=provenance`)
    .catch(absent)
    .catch(error => inFeed(get, path, error))
  if ('removed' in record)
    return {
      place: null,
      dataset,
      removed: record.removed && (await withCodes(get, dataset, record.removed)),
    }
  const place = toPlace(dataset, record)
  const { heldBack = [], corrected = [] }: Partial<Schemas['Provenance']> = record.provenance ?? {}
  const [origin, meanings, nearby, carParks] = await Promise.all([
    get<Schemas['CatalogueEntry']>(`/v1/datasets/${dataset}`),
    loadMeanings(get),
    loadNearby(get, place),
    // Only the list has the ways to pay (spec 4.5, 4.6).
    dataset === 'carparks' ? loadCarParks(get) : null,
  ])
  const carPark = carParks?.find(each => each.id === record.id) ?? null
  return {
    ...{ place, nearby, carPark },
    facts: carPark === null ? factsOf(dataset, record, meanings) : carParkFacts(carPark),
    origin: { ...originOf(origin), title: meaningOf(origin.title), updatedAt: origin.updatedAt },
    // The source puts the place off the island. Its position is then an earlier one, or missing.
    isHeldBack: heldBack.length > 0,
    // Why the publisher of the service corrected values. Latitude and longitude usually have one reason.
    reasons: [...new Set(corrected.map(({ why }) => why))],
  }
}

function absent(error: ApiError): { removed: Removed | undefined } {
  const { status, removed } = error.problem ?? {}
  if (status === 404 || status === 410) return { removed }
  throw error
}

/** A car park of the live feed, while no release has car parks. Rejects for anything else. */
async function inFeed(get: GetJson, path: string, error: ApiError): Promise<PlaceRecord> {
  if (error.problem?.code !== 'DATASET_UNAVAILABLE' || !path.startsWith('/v1/carparks/')) throw error
  const { code, name } = await get<LiveCarPark>(`${path}/live`)
  return { id: code, name, latitude: null, longitude: null, liveTrackingCode: code }
}

/** A place that has left the list, with the nearest of its kind. */
const withCodes = async (get: GetJson, dataset: string, removed: Removed) => ({
  ...removed,
  nearest: await withOffers(
    get,
    removed.nearest.map(place => ({ dataset, ...place })),
  ),
})

/** Gets the nearest places of the same kind, car parks with their free spaces. */
export async function loadNearby(get: GetJson, place: Place): Promise<readonly ListedPlace[]> {
  if (!isLocated(place)) return []
  const near = `${place.latitude},${place.longitude}`
  const path = `/v1/places?dataset=${place.dataset}&near=${near}&limit=${NEARBY + 1}&include=live`
  const { results } = await get<{ results: readonly Place[] }>(path)
  return withOffers(get, results.filter(({ id }) => id !== place.id).slice(0, NEARBY))
}
