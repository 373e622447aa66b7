import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { orNull } from '../../parts/attempt.ts'
import type { MapLabel } from '../../places/island-drawing.tsx'
import { type Located, type Place, positionOf } from '../../places/kinds.ts'
import { parishesOf, parishKey } from '../../places/parishes.ts'
import { parking } from '../../texts/en/parking.ts'
import { text } from '../../texts/text.ts'

/** The place that the car parks are sorted by. */
export interface SortedFrom {
  /** The chosen parish; null for a position. */
  readonly parish: string | null
  readonly here: Located | null
  /** The fault of the place in the address. */
  readonly fault: string | null
}

/** Reads the position or the parish of an address. */
export function readPlace(query: URLSearchParams, parishes: readonly MapLabel[]): SortedFrom | null {
  // The form sends an empty value without a choice.
  const wanted = query.get('parish') || null
  const near = query.get('near') || null
  if (wanted !== null) {
    const here = parishes.find(({ name }) => parishKey(name) === parishKey(wanted)) ?? null
    const fault = here === null ? text(parking.noParish, { parish: wanted }) : null
    return { parish: here?.name ?? null, here, fault }
  }
  const here = positionOf(near ?? '')
  return near === null ? null : { parish: null, here, fault: here === null ? parking.positionFault : null }
}

/** Gets the parishes that have public places with a position: no dataset has positions of parishes. */
export async function loadParishes(get: GetJson): Promise<readonly MapLabel[]> {
  const found = await orNull(get<{ results: readonly Place[] }>('/v1/places'))
  return parishesOf(found?.results ?? []).filter(parish => 'latitude' in parish)
}
