import type { ComponentChildren } from 'preact'
import { to } from '../address.ts'
import { clockTime } from '../words/island-time.ts'
import { counted, distanceText } from '../words/numbers.ts'
import { isLocated, kindOf, type Place, placePath } from './kinds.ts'
import { PlaceIcon } from './place-icons.tsx'

interface PlaceRowProps {
  readonly place: Place
  /** Further links of the place, after the link to its page. */
  readonly children?: ComponentChildren
}

/** A place in a list: its name, which leads to its page, and what is known of it in a line. */
export function PlaceRow({ place, children }: PlaceRowProps) {
  return (
    <li class="place-row">
      <PlaceIcon dataset={place.dataset} />
      <div class="place-row-text">
        <a href={to(placePath(place))}>{place.name}</a>
        <p class="facts">{factsOf(place).join(' · ')}</p>
      </div>
      {children}
    </li>
  )
}

/** What a list says of a place, the nearest fact first. */
export function factsOf(place: Place): readonly string[] {
  const { dataset, parish, distanceMetres } = place
  return [
    distanceMetres === undefined ? undefined : `${distanceText(distanceMetres)} away`,
    spacesText(place),
    kindOf(dataset)?.one,
    parish,
    isLocated(place) ? undefined : 'position not known',
  ].filter(fact => typeof fact === 'string')
}

/** Says how many places of a list that is sorted by distance have none; empty where all have one. */
export function unmeasuredText(distances: readonly (number | undefined)[], one = 'place'): string {
  const count = distances.filter(distance => distance === undefined).length
  if (count === 0) return ''
  const last = count === 1 ? 'it comes last' : `they come last, by ${one === 'place' ? 'parish' : 'name'}`
  return ` The position of ${counted(count, one)} is not known: ${last}.`
}

/** The free spaces of a car park, if they can be trusted: by their own time, so that nobody takes an old count for a new one. */
export function spacesText({ freeSpaces, open, quality, observedAt }: Place): string | undefined {
  if (open === false) return 'closed'
  if (typeof freeSpaces !== 'number' || quality !== 'good' || typeof observedAt !== 'string') return undefined
  return `${counted(freeSpaces, 'space')} free at ${clockTime(observedAt)}`
}
