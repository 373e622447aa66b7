import { divIcon, type LeafletKeyboardEvent, type Marker, marker } from 'leaflet'
import { render } from 'preact'
import { places } from '../../texts/en/places.ts'
import { text } from '../../texts/text.ts'
import { kindOf, type Located, type Place } from '../kinds.ts'
import { PlaceIcon } from '../place-icons.tsx'
import { spacesText } from '../place-row.tsx'
import type { Spot } from './clusters.ts'

const SIZE = 34
const CLUSTER_SIZE = 40

/** The drawing of a place: its sign, and the free spaces of a car park if they can be trusted. */
export function spotMarker(spot: Spot): Marker {
  if ('place' in spot) return placeMarker(spot.place)
  const element = document.createElement('span')
  element.textContent = String(spot.count)
  const icon = divIcon({ html: element, className: 'map-cluster', iconSize: [CLUSTER_SIZE, CLUSTER_SIZE] })
  return named(marker(position(spot.at), { icon }), text(places.cluster, { count: spot.count }))
}

function placeMarker(place: Place & Located): Marker {
  const spaces = spacesText(place)
  const element = document.createElement('span')
  // Leaflet would parse text as HTML. Rendered nodes are never parsed.
  render(
    <>
      <PlaceIcon dataset={place.dataset} />
      {spaces !== undefined && <b>{place.open === false ? places.closed : place.freeSpaces}</b>}
    </>,
    element,
  )
  const icon = divIcon({
    html: element,
    className: 'map-place',
    iconSize: [SIZE, SIZE],
    popupAnchor: [0, -SIZE / 2],
  })
  const name = [place.name, kindOf(place.dataset)?.one, spaces].filter(Boolean).join(', ')
  return named(marker(position(place), { icon, riseOnHover: true }), name)
}

/** The name of a parish: part of the drawing, and not a button. */
export function labelMarker(label: Located & { readonly name: string }): Marker {
  const element = document.createElement('span')
  element.textContent = label.name
  element.setAttribute('aria-hidden', 'true')
  const icon = divIcon({ html: element, className: 'map-label', iconSize: [0, 0] })
  return marker(position(label), { icon, interactive: false, keyboard: false, zIndexOffset: -1000 })
}

/** The position of the reader. Distances start there. */
export function hereMarker(here: Located): Marker {
  const icon = divIcon({ html: '', className: 'map-here', iconSize: [20, 20] })
  return marker(position(here), { icon, keyboard: false, interactive: false, zIndexOffset: -500 })
}

/** A position as Leaflet takes it. */
export const position = ({ latitude, longitude }: Located): [number, number] => [latitude, longitude]

/** Leaflet gives its markers the role of a button, but a name only to images. */
function named(made: Marker, name: string): Marker {
  return made.on('add', () => {
    const element = made.getElement()
    element?.setAttribute('aria-label', name)
    element?.setAttribute('title', name)
  })
}

/** Leaflet's markers are buttons to people, and hear the keys of buttons only with this. */
export function onPress(made: Marker, press: () => void): void {
  made.on('click', press)
  made.on('keydown', ({ originalEvent }: LeafletKeyboardEvent) => {
    if (originalEvent.key !== 'Enter' && originalEvent.key !== ' ') return
    originalEvent.preventDefault()
    press()
  })
}
