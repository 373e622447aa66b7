import type { ComponentChildren } from 'preact'
import { dataLanguage, to } from '../address.ts'
import { WithPhoneLinks } from '../parts/phone-links.tsx'
import { places } from '../texts/en/places.ts'
import { text } from '../texts/text.ts'
import { clockTime } from '../words/island-time.ts'
import { awayText, wayText } from '../words/numbers.ts'
import { Directions, mayLeadTo } from './directions.tsx'
import { isLocated, kindOf, type ListedPlace, type Place, placeKey, placePath } from './kinds.ts'
import { PlaceIcon } from './place-icons.tsx'

interface PlaceRowProps {
  readonly place: ListedPlace
  /** False in a list of one kind. */
  readonly withKind?: boolean
  /** True without a network: no page opens, and apps for maps find a position by its numbers. */
  readonly isOffline?: boolean
  /** The class of the link to directions. */
  readonly look?: string
  /** Further links of the place. */
  readonly children?: ComponentChildren
}

/** A place in a list: a link to its page, its facts and offers, and a link for directions. */
export function PlaceRow({ place, withKind, isOffline = false, look = '', children }: PlaceRowProps) {
  const { dataset, name, offers = [], notes, latitude, longitude } = place
  return (
    <li class="place-row">
      <PlaceIcon dataset={dataset} />
      <div class="place-row-text">
        {isOffline ? (
          <strong>{name}</strong>
        ) : (
          <a href={to(placePath(place))} lang={dataLanguage}>
            {name}
          </a>
        )}
        <p class="facts">{factsOf(place, withKind).join(' · ')}</p>
        {offers.length > 0 && <p class="offers">{offers.join(' · ')}</p>}
        {notes && (
          <p lang={dataLanguage}>
            <WithPhoneLinks text={notes} />
          </p>
        )}
        {isOffline && isLocated(place) && (
          <p class="facts">
            {latitude?.toFixed(5)}, {longitude?.toFixed(5)}
          </p>
        )}
      </div>
      <div class="place-row-links no-print">
        {children}
        {!(isOffline && isLocated(place)) && <Directions place={place} class={look} />}
      </div>
    </li>
  )
}

interface PlaceRowsProps extends Omit<PlaceRowProps, 'place' | 'children'> {
  readonly places: readonly ListedPlace[]
  /** Makes further links of a place. */
  readonly linksOf?: (place: ListedPlace) => ComponentChildren
}

/** Places as a list. */
export function PlaceRows({ places, linksOf, ...look }: PlaceRowsProps) {
  return (
    <ul class="place-rows">
      {places.map(place => (
        <PlaceRow key={placeKey(place)} place={place} {...look}>
          {linksOf?.(place)}
        </PlaceRow>
      ))}
    </ul>
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
