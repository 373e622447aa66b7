import type { LoadRequest } from '../../page.ts'
import { orNull } from '../../parts/attempt.ts'
import { type Kept, toPlace } from '../../places/kept-places.ts'
import { type ListedPlace, type Located, positionOf } from '../../places/kinds.ts'

/** Every defibrillator, and where the address looks for one. */
export interface EmergencyData {
  /** Null without a release. The device keeps the page with the places. */
  readonly places: readonly ListedPlace[] | null
  readonly here: Located | null
  /** The name of a parish, or empty. */
  readonly parish: string
  /** True if the address has a position that cannot be read. */
  readonly isRefused: boolean
}

/** Gets every defibrillator: the browser sorts them, so that the exact position stays on the device. */
export async function loadEmergency({ query, get }: LoadRequest): Promise<EmergencyData> {
  const list = await orNull(get<{ results: readonly Kept[] }>('/v1/defibrillators'))
  const near = query.get('near')?.trim() ?? ''
  const here = positionOf(near)
  return {
    places: list?.results.map(record => toPlace('defibrillators', record)) ?? null,
    here,
    parish: here === null ? (query.get('parish')?.trim() ?? '') : '',
    isRefused: here === null && near !== '',
  }
}
