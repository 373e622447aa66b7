import {
  control,
  map as createMap,
  type FitBoundsOptions,
  type LatLngBounds,
  type Map as LeafletMap,
  latLngBounds,
  layerGroup,
  type Marker,
  polygon,
  popup,
  tileLayer,
} from 'leaflet'
import 'leaflet/dist/leaflet.css'
import './leaflet-map.css'
import { COASTLINE } from 'virtual:coastline'
import { render } from 'preact'
import type { MapTiles } from '../../../../src/interfaces/web/explorer.ts'
import type { MapLabel } from '../island-drawing.tsx'
import { isLocated, type Located, type Place, placeKey } from '../kinds.ts'
import { BOUNDS } from '../projection.ts'
import { createClusters, type Spot } from './clusters.ts'
import { showFreeLabels } from './labels.ts'
import { hereMarker, labelMarker, onPress, position, spotMarker } from './markers.tsx'
import { PopupText } from './popup-text.tsx'

/** The places on a map, and the position of the reader. */
export interface Shown {
  readonly places: readonly Place[]
  readonly here: Located | null
}

/** A map that can be moved. */
export interface IslandMap {
  /** Replaces the places, and keeps the view. */
  readonly show: (shown: Shown) => void
  /** Moves to the places, or to the nearest places of the reader. */
  readonly fit: (shown: Shown) => void
  /** Moves to a place and opens it. */
  readonly open: (place: Place & Located) => void
  readonly remove: () => void
}

const MAX_ZOOM = 18
const PLACE_ZOOM = 16
/** Popups stay clear of the buttons that zoom, which stand in the corner. */
const BESIDE_BUTTONS: [number, number] = [60, 12]
/** The number of nearest places in the first view. */
const NEAREST = 5
const ISLAND = latLngBounds([BOUNDS.south, BOUNDS.west], [BOUNDS.north, BOUNDS.east])

const AROUND_ISLAND: FitBoundsOptions = { animate: false, padding: [12, 12] }

/** Whether bounds hold so much of the island that the map shows all of it. */
const isWide = (bounds: LatLngBounds) => bounds.getEast() - bounds.getWest() > (BOUNDS.east - BOUNDS.west) / 2

/** Creates a map in an element: the outline of the island, tiles if there are any, and the names of parishes. */
export function createIslandMap(
  element: HTMLElement,
  { tiles, labels }: { readonly tiles: MapTiles | undefined; readonly labels: readonly MapLabel[] },
): IslandMap {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const map = createMap(element, {
    ...{ attributionControl: false, zoomSnap: 0.25, maxZoom: MAX_ZOOM, maxBounds: ISLAND.pad(0.6) },
    ...{ zoomAnimation: !still, fadeAnimation: !still, markerZoomAnimation: !still, inertia: !still },
  })
  control.scale({ imperial: false }).addTo(map)
  map.fitBounds(ISLAND, AROUND_ISLAND)
  map.setMinZoom(map.getZoom() - 1)
  const outline = COASTLINE.map(([longitude, latitude]): [number, number] => [latitude, longitude])
  const className = tiles === undefined ? 'map-island' : 'map-island map-island-tiled'
  polygon(outline, { className, interactive: false }).addTo(map)
  // A host of tiles may ask for the site. It gets only the origin.
  if (tiles !== undefined)
    tileLayer(tiles.url, { maxZoom: MAX_ZOOM, referrerPolicy: 'strict-origin' }).addTo(map)
  else for (const label of labels) labelMarker(label).addTo(map)
  const spots = spotLayer(map)
  // After the markers are drawn.
  const showLabels = () => showFreeLabels(element)
  map.on('moveend', showLabels)
  return {
    show(shown) {
      spots.show(shown)
      showLabels()
    },
    fit({ places, here }) {
      const located = places.filter(isLocated).slice(0, here === null ? undefined : NEAREST)
      const points = [...located, ...(here === null ? [] : [here])].map(position)
      const bounds = latLngBounds(points)
      // A wrong position far away must not hide the island.
      const isInside = points.length > 0 && ISLAND.pad(0.2).contains(bounds)
      if (!isInside) return
      if (isWide(bounds)) map.fitBounds(ISLAND, AROUND_ISLAND)
      else map.fitBounds(bounds, { animate: false, padding: [32, 32], maxZoom: PLACE_ZOOM })
    },
    open(place) {
      map.setView(position(place), Math.max(map.getZoom(), PLACE_ZOOM), { animate: false })
      spots.open(place)
    },
    remove: () => map.remove(),
  }
}

/** The places on a map, in groups where they would cover each other. */
function spotLayer(map: LeafletMap) {
  const layer = layerGroup().addTo(map)
  const hereLayer = layerGroup().addTo(map)
  const markers = new Map<string, Marker>()
  let spotsIn = createClusters([])
  let located: readonly (Place & Located)[] = []
  const seen = () => {
    const bounds = map.getBounds().pad(0.2)
    const box = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()] as const
    // Between two zooms, places are nearer to each other than at the next zoom.
    return spotsIn([...box], Math.floor(map.getZoom()))
  }
  /** Markers that stay are not touched, so that the focus stays on them. */
  const draw = () => {
    const spots = seen()
    const keys = new Set(spots.map(({ key }) => key))
    for (const [key, marker] of markers) if (!keys.has(key)) markers.delete(key) && layer.removeLayer(marker)
    for (const spot of spots) if (!markers.has(spot.key)) add(spot)
  }
  const add = (spot: Spot) => {
    const made = spotMarker(spot).addTo(layer)
    markers.set(spot.key, made)
    onPress(made, () => {
      if ('place' in spot) openPopup(map, spot.place, made.getElement())
      else map.setView(position(spot.at), Math.min(spot.zoom, MAX_ZOOM))
    })
  }
  map.on('moveend', draw)
  return {
    show({ places, here }: Shown) {
      located = places.filter(isLocated)
      spotsIn = createClusters(located)
      markers.clear()
      layer.clearLayers()
      draw()
      hereLayer.clearLayers()
      if (here !== null) hereMarker(here).addTo(hereLayer)
    },
    open(place: Place & Located) {
      openPopup(map, located.find(each => placeKey(each) === placeKey(place)) ?? place)
    },
  }
}

/** Opens the facts about a place. The focus of whoever pressed the marker goes there, and returns on closing. */
function openPopup(map: LeafletMap, place: Place & Located, opener?: HTMLElement) {
  const content = document.createElement('div')
  render(<PopupText place={place} />, content)
  const opened = popup({ offset: [0, -10], maxWidth: 220, autoPanPaddingTopLeft: BESIDE_BUTTONS })
    .setLatLng(position(place))
    .setContent(content)
  opened.on('remove', () => {
    // The focus is nowhere now if it was in the popup.
    if (document.activeElement === document.body) opener?.focus({ preventScroll: true })
  })
  content.addEventListener('keydown', ({ key }) => key === 'Escape' && map.closePopup(opened))
  opened.openOn(map)
  if (opener !== undefined) content.querySelector('a')?.focus({ preventScroll: true })
}
