import type { components } from '../../../../client/src/schema.ts'
import type { ApiError, GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { loadCarParks } from '../../parking/load-counts.ts'
import type { CarPark, LiveCarPark } from '../../parking/records.ts'
import { type Origin, originOf } from '../../parts/origin.tsx'
import { loadMeanings } from '../../places/enumerations.ts'
import { isLocated, kindOf, type ListedPlace, type Place } from '../../places/kinds.ts'
import { withOffers } from '../../places/offers.ts'
import { carParkFacts, type Fact, factsOf } from './facts.ts'

type Schemas = components['schemas']

/** A record with a page, with the fields that only some datasets have. */
export type PlaceRecord = Pick<Place, 'id' | 'latitude' | 'longitude'> &
  Partial<Omit<Schemas['Toilet'], 'owner'>> &
  Partial<Omit<Schemas['RecyclingCentre'], 'id'>> &
  Partial<Omit<Schemas['Defibrillator'], 'id'>> &
  Partial<Pick<CarPark, 'liveTrackingCode'>> & {
    readonly owner?: { readonly name: string | null } | null
  }

/** The publisher, the licence and the date of a place's data. */
export type PlaceOrigin = Origin & Pick<Schemas['CatalogueEntry'], 'title' | 'updatedAt'>

type Removed = NonNullable<NonNullable<ApiError['problem']>['removed']>

/** A place that has left the list, with the nearest of its kind. */
export type RemovedPlace = Omit<Removed, 'nearest'> & {
  readonly nearest: readonly (Removed['nearest'][number] & Pick<ListedPlace, 'dataset' | 'code'>)[]
}

/** An address without a place. */
export interface NoPlaceData {
  readonly place: null
  readonly dataset: string
  readonly removed?: RemovedPlace | undefined
}

/** A place in words with its neighbours. */
export interface FoundPlace {
  readonly place: ListedPlace
  readonly facts: readonly Fact[]
  /** The record of a car park; null for other places. */
  readonly carPark: CarPark | null
  readonly origin: PlaceOrigin
  readonly nearby: readonly ListedPlace[]
  /** True if the source puts the place off the island. Its position is then an earlier one, or missing. */
  readonly isHeldBack: boolean
}

export type PlaceData = FoundPlace | NoPlaceData

const NEARBY = 5

/** Gets a place and everything on its page, except for the count of a car park. */
export async function loadPlace(get: GetJson, dataset: string, id: string): Promise<PlaceData> {
  const none = { place: null, dataset }
  if (kindOf(dataset) === undefined) return none
  const path = `/v1/${dataset}/${encodeURIComponent(id)}`
  const record = await get<PlaceRecord>(path)
    .catch(absent)
    .catch(error => inFeed(get, path, error))
  if ('removed' in record)
    return { ...none, removed: record.removed && (await withCodes(get, dataset, record.removed)) }
  const place = toPlace(dataset, record)
  const [origin, meanings, nearby, carParks] = await Promise.all([
    get<PlaceOrigin & Pick<Schemas['DatasetDescription'], 'warnings'>>(`/v1/datasets/${dataset}`),
    loadMeanings(get),
    loadNearby(get, place),
    // Only the list has the ways to pay (spec 4.5, 4.6).
    dataset === 'carparks' ? loadCarParks(get) : null,
  ])
  const carPark = carParks?.find(each => each.id === record.id) ?? null
  return {
    ...{ place, nearby, carPark },
    facts: carPark === null ? factsOf(dataset, record, meanings) : carParkFacts(carPark),
    origin: { ...originOf(origin), title: origin.title, updatedAt: origin.updatedAt },
    isHeldBack: origin.warnings.some(({ ids }) => ids?.includes(record.id)),
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

const withCodes = async (get: GetJson, dataset: string, removed: Removed): Promise<RemovedPlace> => ({
  ...removed,
  nearest: await withOffers(
    get,
    removed.nearest.map(place => ({ dataset, ...place })),
  ),
})

const toPlace = (
  dataset: string,
  {
    id,
    name,
    location,
    parish,
    latitude,
    longitude,
    liveTrackingCode: code = null,
    notes = null,
  }: PlaceRecord,
): ListedPlace => ({
  ...{ dataset, id, name: name ?? location ?? id, parish: parish ?? null },
  ...{ latitude, longitude, path: `/v1/${dataset}/${id}`, code, notes },
})

/** Gets the nearest places of the same kind, car parks with their free spaces. */
export async function loadNearby(get: GetJson, place: Place): Promise<readonly ListedPlace[]> {
  if (!isLocated(place)) return []
  const near = `${place.latitude},${place.longitude}`
  const path = `/v1/places?dataset=${place.dataset}&near=${near}&limit=${NEARBY + 1}&include=live`
  const { results } = await get<{ results: readonly Place[] }>(path)
  return withOffers(get, results.filter(({ id }) => id !== place.id).slice(0, NEARBY))
}
