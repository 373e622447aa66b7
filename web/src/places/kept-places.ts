import { basePath, to } from '../address.ts'
import { type ListedPlace, type PlaceFields, toPlace } from './kinds.ts'

/** The cache of places for offline use. */
export const KEPT_CACHE = `kept-places${basePath}`

/** The lists that the device keeps. */
export const LISTS = ['defibrillators', 'toilets'].map(dataset => ({ dataset, url: to(`/v1/${dataset}`) }))

/** The places that this device keeps, and the time of the older of their lists. */
export interface KeptPlaces {
  readonly places: readonly ListedPlace[]
  readonly keptOn: string | undefined
}

/** Reads the places that this device keeps, if any. */
export async function readKept(): Promise<KeptPlaces> {
  const cache = await caches.open(KEPT_CACHE)
  const lists = await Promise.all(
    LISTS.map(async ({ dataset, url }) => {
      const response = await cache.match(url)
      if (response === undefined) return []
      const { results } = (await response.json()) as { results: PlaceFields[] }
      return results.map(record => toPlace(dataset, record))
    }),
  )
  return { places: lists.flat(), keptOn: await keptOn() }
}

/** The time of the older kept list; undefined without a kept list. */
export async function keptOn(): Promise<string | undefined> {
  const cache = await caches.open(KEPT_CACHE)
  const responses = await Promise.all(LISTS.map(({ url }) => cache.match(url)))
  const times = responses.flatMap(response => {
    const date = response?.headers.get('date')
    return date ? [Date.parse(date)] : []
  })
  return times.length === 0 ? undefined : new Date(Math.min(...times)).toISOString()
}
