import type { RefObject } from 'preact'
import { mayLeadTo } from '../../places/directions.tsx'
import { isLocated, type ListedPlace, type Located } from '../../places/kinds.ts'
import { nearestFirst } from '../../places/nearest-first.ts'
import { byParish, parishKey } from '../../places/parishes.ts'
import { PlaceRows } from '../../places/place-row.tsx'
import { emergency as texts } from '../../texts/en/emergency.ts'
import { text } from '../../texts/text.ts'

const NEAREST = 3

/** The place to search from: a position, a parish, or both. */
export interface From {
  readonly here: Located | null
  /** The name of a parish, or empty. */
  readonly parish: string
}

interface FoundProps {
  readonly places: readonly ListedPlace[]
  readonly from: From
  readonly headingRef: RefObject<HTMLElement | null>
}

/** The defibrillators of the chosen parish, or else the three nearest to the reader. */
export function Found({ places, from: { here, parish }, headingRef }: FoundProps) {
  if (here === null && parish === '') return null
  const ordered = here === null ? places.toSorted(byParish) : nearestFirst(places, here)
  const found =
    parish === ''
      ? ordered.filter(isLocated).slice(0, NEAREST)
      : ordered.filter(place => parishKey(place.parish ?? '') === parishKey(parish))
  const unlocated = parish === '' ? places.filter(place => !isLocated(place)).length : 0
  return (
    <section class="emergency-found" aria-labelledby="found" tabIndex={-1} ref={headingRef}>
      <h2 id="found" class={parish === '' ? 'visually-hidden' : undefined}>
        {parish === '' ? texts.nearest : text(texts.inParish, { parish })}
      </h2>
      {found.length === 0 && <p>{texts.noneInParish}</p>}
      <PlaceRows places={found} withKind={false} look="button" />
      {here !== null && mayLeadTo('defibrillators') && <p class="facts">{texts.straight}</p>}
      {unlocated > 0 && <p class="facts">{text(texts.unlocated, { count: unlocated })}</p>}
    </section>
  )
}
