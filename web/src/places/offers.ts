import type { components } from '../../../client/src/schema.ts'
import type { GetJson } from '../../../src/interfaces/web/explorer.ts'
import { specialSpaces, stayOf } from '../parking/car-park-words.ts'
import { orNull } from '../parts/attempt.ts'
import { places as texts } from '../texts/en/places.ts'
import { text } from '../texts/text.ts'
import { loadMeanings, type Meanings, meaningsOf } from './enumerations.ts'
import { type ListedPlace, type Place, placeKey } from './kinds.ts'

type Schemas = components['schemas']

/** The fields of a record that say what it offers. */
interface Offering
  extends Pick<Schemas['Place'], 'id'>,
    Partial<
      Pick<Schemas['Toilet'], 'facilities'> &
        Pick<Schemas['RecyclingCentre'], 'services'> &
        Omit<Schemas['Carpark'], 'id'>
    > {}

const FIELDS: Readonly<Record<string, string>> = {
  toilets: 'id,facilities',
  recycling: 'id,services',
  carparks: 'id,liveTrackingCode,type,spaces,disabledSpaces,parentChildSpaces,electricChargingSpaces',
}

/** The API's answer about places, with the offers of each place. */
export interface FoundPlaces {
  readonly results: readonly ListedPlace[]
  readonly unavailable: readonly string[]
}

/** Gets places and their offers. */
export async function getPlaces(get: GetJson, path: string): Promise<FoundPlaces> {
  const found = await get<FoundPlaces>(path)
  return { ...found, results: await withOffers(get, found.results) }
}

/** Adds what places offer, and the codes of car parks. The list of places has neither. */
export async function withOffers<T extends Pick<Place, 'dataset' | 'id'>>(
  get: GetJson,
  places: readonly T[],
): Promise<readonly (T & Pick<ListedPlace, 'offers' | 'code'>)[]> {
  const datasets = Object.keys(FIELDS).filter(name => places.some(({ dataset }) => dataset === name))
  const [meanings, ...lists] = await Promise.all([
    loadMeanings(get),
    ...datasets.map(async dataset => {
      const path = `/v1/${dataset}?fields=${FIELDS[dataset]}`
      const list = await orNull(get<{ results: readonly Offering[] }>(path))
      return (list?.results ?? []).map(record => [placeKey({ dataset, id: record.id }), record] as const)
    }),
  ])
  const records = new Map(lists.flat())
  return places.map(place => {
    const record = records.get(placeKey(place))
    return record === undefined
      ? place
      : { ...place, code: record.liveTrackingCode, offers: offersOf(place.dataset, record, meanings) }
  })
}

function offersOf(dataset: string, record: Offering, meanings: Meanings): readonly string[] {
  const { facilities = [], services = [], spaces = 0, type = 'UNKNOWN' } = record
  if (dataset === 'carparks')
    return [stayOf({ type }), spaces > 0 ? text(texts.spaces, { count: spaces }) : undefined]
      .filter(offer => offer !== undefined)
      .concat(specialSpaces(record))
  return meaningsOf(meanings(dataset, dataset === 'toilets' ? 'facilities' : 'services'), [
    ...facilities,
    ...services,
  ])
}
