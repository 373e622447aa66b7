import { kindOf, type Place } from '../../places/kinds.ts'
import { carpark } from '../../texts/en/carpark.ts'
import { place as texts } from '../../texts/en/place.ts'
import { text } from '../../texts/text.ts'
import { dateOf } from '../../words/island-time.ts'
import type { NoPlaceData } from './load.ts'

/** The kind of a place with its parish, such as `Public toilet in St. Helier`. */
export function nameOf({ dataset, parish }: Place): string {
  const kind = kindOf(dataset)?.one ?? texts.place
  return parish === null ? kind : text(texts.kindIn, { kind, parish })
}

/** The title of an address without a place. */
export const notFoundTitle = (dataset: string): string =>
  dataset === 'carparks' ? carpark.notFound : texts.notFound

/** Says whether a place has left its list or never was there. */
export const absenceOf = ({ dataset, removed }: NoPlaceData): string =>
  removed === undefined
    ? texts.notFoundDetail
    : text(texts.removed, { kind: kindOf(dataset)?.one ?? texts.place, date: dateOf(removed.removedAt) })
