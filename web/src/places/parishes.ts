import { language } from '../texts/en/language.ts'
import { fold } from '../words/fold.ts'
import type { MapLabel } from './island-drawing.tsx'
import { isLocated, type Place } from './kinds.ts'

/** The key of a parish, the same for each publisher's spelling: "St. Anne", "St Anne", "st anné". */
export const parishKey = (parish: string): string => fold(parish)

const NAMES = new Intl.Collator(language.locale, { numeric: true })

/** Orders places by parish and name. Places without a parish come last. */
export function byParish(one: Place, other: Place): number {
  if ((one.parish === null) !== (other.parish === null)) return one.parish === null ? 1 : -1
  const parishes = NAMES.compare(parishKey(one.parish ?? ''), parishKey(other.parish ?? ''))
  return parishes || NAMES.compare(one.name, other.name)
}

/** The parishes of places by name, each once, with a position amid its places if they have any. */
export function parishesOf(places: readonly Place[]): readonly (MapLabel | { readonly name: string })[] {
  const groups = new Map<string, Place[]>()
  for (const place of places) {
    if (place.parish === null) continue
    const key = parishKey(place.parish)
    groups.set(key, [...(groups.get(key) ?? []), place])
  }
  return [...groups.values()]
    .map(group => ({ name: group[0]?.parish ?? '', ...middleOf(group) }))
    .sort((one, other) => one.name.localeCompare(other.name, language.locale))
}

function middleOf(places: readonly Place[]) {
  const located = places.filter(isLocated)
  if (located.length === 0) return {}
  const middle = (values: readonly number[]) =>
    values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
  return {
    latitude: middle(located.map(({ latitude }) => latitude)),
    longitude: middle(located.map(({ longitude }) => longitude)),
  }
}
