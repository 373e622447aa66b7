import type { ApiError, GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { orNull } from '../../parking/attempt.ts'
import type { CarPark } from '../../parking/records.ts'

/** Where the car parks are sorted from. */
export interface Place {
  /** The parish, where one was chosen. */
  readonly parish: string | null
  /** By live tracking code, metres. */
  readonly distances: Readonly<Record<string, number>>
  /** What is wrong with the place that was asked for. */
  readonly fault: string | null
}

/** Where the public places of a parish are. */
export interface Parish {
  readonly name: string
  readonly position: string
}

type Point = {
  readonly parish: string | null
  readonly latitude: number | null
  readonly longitude: number | null
}

const NOWHERE: Place = { parish: null, distances: {}, fault: null }

/** Gets the distances from a position or a parish. */
export async function loadPlace(
  get: GetJson,
  query: URLSearchParams,
  parishes: readonly Parish[],
): Promise<Place | null> {
  // The form sends an empty one where none was chosen.
  const wanted = query.get('parish') || null
  const near = query.get('near')
  if (wanted === null && near === null) return null
  if (wanted === null) return { ...NOWHERE, ...(await distancesFrom(get, near ?? '')) }
  const parish = parishes.find(({ name }) => name === plain(wanted))
  if (parish === undefined) return { ...NOWHERE, fault: `No parish is called “${wanted}”.` }
  return { ...NOWHERE, parish: parish.name, ...(await distancesFrom(get, parish.position)) }
}

async function distancesFrom(get: GetJson, position: string): Promise<Pick<Place, 'distances' | 'fault'>> {
  try {
    const url = `/v1/carparks?near=${encodeURIComponent(position)}`
    const answer = await orNull(get<{ results: readonly CarPark[] }>(url))
    const measured = (answer?.results ?? []).flatMap(({ liveTrackingCode, distanceMetres }) =>
      liveTrackingCode === null || distanceMetres === undefined
        ? []
        : [[liveTrackingCode, distanceMetres] as const],
    )
    return { distances: Object.fromEntries(measured), fault: null }
  } catch (error) {
    const [invalid] = (error as ApiError).problem?.errors ?? []
    if (invalid === undefined) throw error
    return { distances: {}, fault: `The position ${invalid.detail}.` }
  }
}

/** Gets the parishes with the middle of the public places of each: no dataset has their own. */
export async function loadParishes(get: GetJson): Promise<readonly Parish[]> {
  const lists = await Promise.all(
    ['toilets', 'recycling', 'defibrillators'].map(name =>
      orNull(get<{ results: readonly Point[] }>(`/v1/${name}?fields=parish,latitude,longitude`)),
    ),
  )
  const points = lists.flatMap(list => list?.results ?? [])
  const names = new Set(points.map(({ parish }) => plain(parish ?? '')))
  return [...names]
    .flatMap(name => {
      const within = points.filter(({ parish }) => plain(parish ?? '') === name)
      const latitude = median(within.map(point => point.latitude))
      const longitude = median(within.map(point => point.longitude))
      if (name === '' || latitude === undefined || longitude === undefined) return []
      return [{ name, position: `${latitude},${longitude}` }]
    })
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))
}

/** Publishers write "St. Helier" as well as "St Helier". */
const plain = (parish: string) => parish.replaceAll('.', '').trim()

/** The median, which one place with a wrong position does not move. */
function median(values: readonly (number | null)[]): number | undefined {
  const known = values.filter(value => value !== null).sort((one, other) => one - other)
  return known[Math.floor(known.length / 2)]
}
