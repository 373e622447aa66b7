import type { LoadRequest } from '../../page.ts'
import { orNull } from '../../parts/attempt.ts'
import { type PlaceFields, positionOf, toPlace } from '../../places/kinds.ts'

/** Every defibrillator, and where the address looks for one. */
export type EmergencyData = Awaited<ReturnType<typeof loadEmergency>>

/** Gets every defibrillator: the browser sorts them, so that the exact position stays on the device. */
export async function loadEmergency({ query, get }: LoadRequest) {
  const list = await orNull(get<{ results: readonly PlaceFields[] }>('/v1/defibrillators'))
  const near = query.get('near')?.trim() ?? ''
  const here = positionOf(near)
  return {
    // Null without a release. The device keeps the page with the places.
    places: list?.results.map(record => toPlace('defibrillators', record)) ?? null,
    here,
    parish: here === null ? (query.get('parish')?.trim() ?? '') : '',
    // A position that cannot be read.
    isRefused: here === null && near !== '',
  }
}
