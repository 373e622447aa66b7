import type { ApiError, GetJson } from '../../../../src/interfaces/web/explorer.ts'
import type { CarPark } from '../../parking/records.ts'
import { orNull } from '../../parts/attempt.ts'
import type { MapLabel } from '../../places/island-drawing.tsx'
import type { Place } from '../../places/kinds.ts'
import { parishesOf, parishKey } from '../../places/parishes.ts'
import { parking } from '../../texts/en/parking.ts'
import { text } from '../../texts/text.ts'

/** The place that the car parks are sorted by. */
export interface SortedFrom {
  /** The chosen parish; null for a position. */
  readonly parish: string | null
  /** By live tracking code, metres. */
  readonly distances: Readonly<Record<string, number>>
  /** The fault of the place in the address. */
  readonly fault: string | null
}

/** A parish with a position amid its public places. */
export type Parish = MapLabel

const NOWHERE: SortedFrom = { parish: null, distances: {}, fault: null }

/** Gets the distances from a position or a parish. */
export async function loadPlace(
  get: GetJson,
  query: URLSearchParams,
  parishes: readonly Parish[],
): Promise<SortedFrom | null> {
  // The form sends an empty value without a choice.
  const wanted = query.get('parish') || null
  const near = query.get('near') || null
  if (wanted === null && near === null) return null
  if (wanted === null) return { ...NOWHERE, ...(await distancesFrom(get, near ?? '')) }
  const parish = parishes.find(({ name }) => parishKey(name) === parishKey(wanted))
  if (parish === undefined) return { ...NOWHERE, fault: text(parking.noParish, { parish: wanted }) }
  const { name, latitude, longitude } = parish
  return { ...NOWHERE, parish: name, ...(await distancesFrom(get, `${latitude},${longitude}`)) }
}

async function distancesFrom(
  get: GetJson,
  position: string,
): Promise<Pick<SortedFrom, 'distances' | 'fault'>> {
  try {
    const path = `/v1/carparks?near=${encodeURIComponent(position)}`
    const answer = await orNull(get<{ results: readonly CarPark[] }>(path))
    const measured = (answer?.results ?? []).flatMap(({ liveTrackingCode, distanceMetres }) =>
      liveTrackingCode === null || distanceMetres === undefined
        ? []
        : [[liveTrackingCode, distanceMetres] as const],
    )
    return { distances: Object.fromEntries(measured), fault: null }
  } catch (error) {
    const [invalid] = (error as ApiError).problem?.errors ?? []
    if (invalid === undefined) throw error
    return { distances: {}, fault: text(parking.positionFault, { fault: invalid.detail }) }
  }
}

/** Gets the parishes that have public places with a position: no dataset has positions of parishes. */
export async function loadParishes(get: GetJson): Promise<readonly Parish[]> {
  const found = await orNull(get<{ results: readonly Place[] }>('/v1/places'))
  return parishesOf(found?.results ?? []).filter(parish => 'latitude' in parish)
}
