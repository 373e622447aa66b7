import { useIsScripted } from '../browser/use-is-scripted.ts'
import { site } from '../site.ts'
import { places } from '../texts/en/places.ts'
import { text } from '../texts/text.ts'
import { isLocated, type Located, type Place } from './kinds.ts'

interface DirectionsProps {
  readonly place: Pick<Place, 'name' | 'latitude' | 'longitude'> & Partial<Pick<Place, 'dataset' | 'parish'>>
  /** Further classes of the link. */
  readonly class?: string
}

/** Whether a page may send people to the places of a dataset. Nobody may look for a defibrillator that is invented. */
export const mayLeadTo = (dataset: string | undefined): boolean =>
  !(site.synthetic && dataset === 'defibrillators')

/**
 * A link to directions, or to a search for the name of a place without a position. Phones open it in their own app; other devices
 * open OpenStreetMap's site.
 */
export function Directions({ place, class: look = '' }: DirectionsProps) {
  const { name, parish, latitude, longitude } = place
  // The service cannot know who reads the page.
  const isScripted = useIsScripted()
  if (!mayLeadTo(place.dataset)) return null
  const isKnown = isLocated({ latitude, longitude })
  const position = `${latitude},${longitude}`
  const targets = isKnown
    ? wayTo(position, encodeURIComponent(name))
    : searchFor(encodeURIComponent([name, parish, site.island.name].filter(Boolean).join(', ')))
  const { label, aria } = isKnown
    ? { label: places.directions, aria: text(places.directionsTo, { name }) }
    : { label: places.searchByName, aria: text(places.searchByNameFor, { name }) }
  const href = targets[isScripted ? systemOf(navigator.userAgent) : 'other']
  return (
    <a class={`directions ${look}`.trim()} href={href} rel="noreferrer" aria-label={aria}>
      {label}
    </a>
  )
}

/** The address of an area in the app for maps of a phone, or at OpenStreetMap's site. */
export function areaAddress({ latitude, longitude }: Located, zoom: number): string {
  const position = `${latitude.toFixed(5)},${longitude.toFixed(5)}`
  const addresses = {
    android: `geo:${position}?z=${zoom}`,
    apple: `maps:?ll=${position}&z=${zoom}`,
    other: `https://www.openstreetmap.org/#map=${zoom}/${position.replace(',', '/')}`,
  }
  return addresses[systemOf(navigator.userAgent)]
}

/** Android opens `geo:` (RFC 5870) in the app that its owner has chosen. Apple's phones open `maps:` in their own app. */
const systemOf = (userAgent: string): keyof ReturnType<typeof wayTo> =>
  /Android/.test(userAgent) ? 'android' : /iPhone|iPad/.test(userAgent) ? 'apple' : 'other'

const wayTo = (position: string, name: string) => ({
  android: `geo:${position}?q=${position}(${name})`,
  apple: `maps:?daddr=${position}`,
  other: `https://www.openstreetmap.org/directions?to=${encodeURIComponent(position)}`,
})

const searchFor = (words: string) => ({
  android: `geo:0,0?q=${words}`,
  apple: `maps:?q=${words}`,
  other: `https://www.openstreetmap.org/search?query=${words}`,
})
