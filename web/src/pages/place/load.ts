import type { components } from '../../../../client/src/schema.ts'
import type { ApiError, GetJson } from '../../../../src/interfaces/web/explorer.ts'
import type { LoadRequest } from '../../page.ts'
import { type Origin, originOf } from '../../parts/origin.tsx'
import { loadMeanings } from '../../places/enumerations.ts'
import { isLocated, kindOf, type Place } from '../../places/kinds.ts'
import { type Fact, factsOf } from './facts.ts'

type Schemas = components['schemas']

/** A record with a page, with the fields that only some datasets have. */
export type PlaceRecord = Pick<Place, 'id' | 'latitude' | 'longitude'> &
  Partial<Omit<Schemas['Toilet'], 'owner'>> &
  Partial<Omit<Schemas['RecyclingCentre'], 'id'>> &
  Partial<Omit<Schemas['Defibrillator'], 'id'>> &
  Partial<Omit<Schemas['Carpark'], 'owner'>> &
  Partial<Pick<Schemas['CarparkInList'], 'paymentMethods'>> & {
    readonly owner?: { readonly name: string | null } | null
  }

/** The publisher, the licence and the date of a place's data. */
export type PlaceOrigin = Origin & Pick<Schemas['CatalogueEntry'], 'title' | 'updatedAt'>

/** A place that has left the list. */
export type RemovedPlace = NonNullable<NonNullable<ApiError['problem']>['removed']>

/** A place in words with its neighbours, or no place. */
export type PlaceData =
  | { readonly place: null; readonly dataset: string; readonly removed?: RemovedPlace | undefined }
  | {
      readonly place: Place
      readonly facts: readonly Fact[]
      /** The code of a car park with a counter. */
      readonly trackingCode: string | null
      readonly notes: string | null
      readonly origin: PlaceOrigin
      readonly nearby: readonly Place[]
      /** True if the source puts the place off the island. Its position is then an earlier one, or missing. */
      readonly isHeldBack: boolean
    }

const NEARBY = 5

/** Gets a place and everything on its page. */
export async function loadPlace({ params, get }: LoadRequest): Promise<PlaceData> {
  const { dataset = '', id = '' } = params
  const none = { place: null, dataset }
  if (kindOf(dataset) === undefined) return none
  const record = await get<PlaceRecord>(`/v1/${dataset}/${encodeURIComponent(id)}`).catch(absent)
  if ('removed' in record) return { ...none, ...record }
  const [origin, meanings, nearby, paymentMethods] = await Promise.all([
    get<PlaceOrigin & Pick<Schemas['DatasetDescription'], 'warnings'>>(`/v1/datasets/${dataset}`),
    loadMeanings(get),
    neighbours(dataset, record, get),
    dataset === 'carparks' ? waysToPay(record.id, get) : undefined,
  ])
  return {
    place: toPlace(dataset, record),
    facts: factsOf(dataset, { ...record, ...(paymentMethods && { paymentMethods }) }, meanings),
    trackingCode: record.liveTrackingCode ?? null,
    notes: record.notes ?? null,
    origin: { ...originOf(origin), title: origin.title, updatedAt: origin.updatedAt },
    nearby,
    isHeldBack: origin.warnings.some(({ ids }) => ids?.includes(record.id)),
  }
}

function absent(error: ApiError): { removed: RemovedPlace | undefined } {
  const { status, removed } = error.problem ?? {}
  if (status === 404 || status === 410) return { removed }
  throw error
}

const toPlace = (
  dataset: string,
  { id, name, location, parish, latitude, longitude }: PlaceRecord,
): Place => ({
  ...{ dataset, id, name: name ?? location ?? id, parish: parish ?? null },
  ...{ latitude, longitude, path: `/v1/${dataset}/${id}` },
})

/** The nearest places of the same kind. */
async function neighbours(dataset: string, record: PlaceRecord, get: GetJson): Promise<readonly Place[]> {
  if (!isLocated(record)) return []
  const near = `${record.latitude},${record.longitude}`
  const path = `/v1/places?dataset=${dataset}&near=${near}&limit=${NEARBY + 1}`
  const { results } = await get<{ results: Place[] }>(path)
  return results.filter(({ id }) => id !== record.id).slice(0, NEARBY)
}

/** Only the list of car parks has the ways to pay (spec 4.5, 4.6). */
async function waysToPay(id: string, get: GetJson) {
  const { results } = await get<{ results: Pick<Schemas['CarparkInList'], 'id' | 'paymentMethods'>[] }>(
    '/v1/carparks?fields=id,paymentMethods',
  )
  return results.find(each => each.id === id)?.paymentMethods
}
