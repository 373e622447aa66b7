import type { ComponentChildren } from 'preact'
import { to } from '../address.ts'
import { WithPhoneLinks } from '../parts/phone-links.tsx'
import { places } from '../texts/en/places.ts'
import { text } from '../texts/text.ts'
import { clockTime } from '../words/island-time.ts'
import { awayText, wayText } from '../words/numbers.ts'
import { mayLeadTo } from './directions.tsx'
import { isLocated, kindOf, type ListedPlace, type Place, placePath } from './kinds.ts'
import { PlaceIcon } from './place-icons.tsx'

interface PlaceRowProps {
  readonly place: ListedPlace
  /** False in a list of one kind. */
  readonly withKind?: boolean
  /** The publisher's notes, if the list has them. */
  readonly notes?: string | null
  /** Further links of the place, after the link to its page. */
  readonly children?: ComponentChildren
}

/** A place in a list: its name with a link to its page, and its facts in a line. */
export function PlaceRow({ place, withKind, notes, children }: PlaceRowProps) {
  return (
    <li class="place-row">
      <PlaceIcon dataset={place.dataset} />
      <div class="place-row-text">
        <a href={to(placePath(place))}>{place.name}</a>
        <p class="facts">{factsOf(place, withKind).join(' · ')}</p>
        {notes && (
          <p>
            <WithPhoneLinks text={notes} />
          </p>
        )}
      </div>
      {children}
    </li>
  )
}

/** The facts about a place for a list. */
export function factsOf(place: ListedPlace, withKind = true): readonly string[] {
  const { dataset, parish, distanceMetres, direction } = place
  return [
    distanceMetres === undefined
      ? undefined
      : direction !== undefined && mayLeadTo(dataset)
        ? wayText(distanceMetres, direction)
        : awayText(distanceMetres),
    spacesText(place),
    withKind ? kindOf(dataset)?.one : undefined,
    parish,
    isLocated(place) ? undefined : places.locationUnknown,
  ].filter(fact => typeof fact === 'string')
}

/** Says how many places of a list sorted by distance have no distance; empty if all have. */
export function unmeasuredText(distances: readonly (number | undefined)[]): string {
  const count = distances.filter(distance => distance === undefined).length
  return count === 0 ? '' : ` ${text(places.unmeasured, { count })}`
}

/** The free spaces of a car park, if they can be trusted, with their time: nobody must take an old count for a new one. */
export function spacesText({ freeSpaces, open, quality, observedAt }: Place): string | undefined {
  if (open === false) return places.closed
  if (typeof freeSpaces !== 'number' || quality !== 'good' || typeof observedAt !== 'string') return undefined
  return text(places.free, { count: freeSpaces, time: clockTime(observedAt) })
}
