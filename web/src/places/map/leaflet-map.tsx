import {
  Control,
  control,
  map as createMap,
  DomUtil,
  type FitBoundsOptions,
  type GridLayer,
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
import { render } from 'preact'
import type { MapTiles, Site, VectorMap } from '../../../../src/interfaces/web/explorer.ts'
import { to } from '../../address.ts'
import { site } from '../../site.ts'
import { places } from '../../texts/en/places.ts'
import { areaAddress, Directions } from '../directions.tsx'
import type { MapLabel } from '../island-drawing.tsx'
import { isLocated, type Located, type Place, placeKey, placePath } from '../kinds.ts'
import { factsOf } from '../place-row.tsx'
import { islandBounds } from '../projection.ts'
import { createClusters, type Spot } from './clusters.ts'
import { showFreeLabels } from './labels.ts'
import { hereMarker, labelMarker, onPress, position, spotMarker } from './markers.tsx'

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
/** From this zoom on, people look for streets. */
const STREETS_ZOOM = 14
/** Popups stay clear of the buttons that zoom, which stand in the corner. */
const BESIDE_BUTTONS: [number, number] = [60, 12]
/** The number of nearest places in the first view. */
const NEAREST = 5
const { south, west, north, east } = islandBounds()
const ISLAND = latLngBounds([south, west], [north, east])

const AROUND_ISLAND: FitBoundsOptions = { animate: false, padding: [12, 12] }

/** Whether bounds hold so much of the island that the map shows all of it. */
const isWide = (bounds: LatLngBounds) => bounds.getEast() - bounds.getWest() > (east - west) / 2

/** Creates a map in an element: the operator's map if there is one, or the outline of the island and the names of parishes. */
export function createIslandMap(
  element: HTMLElement,
  { baseMap, labels }: { readonly baseMap: Site['baseMap']; readonly labels: readonly MapLabel[] },
): IslandMap {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const map = createMap(element, {
    ...{ attributionControl: false, zoomControl: false },
    ...{ zoomSnap: 0.25, maxZoom: MAX_ZOOM, maxBounds: ISLAND.pad(0.6) },
    ...{ zoomAnimation: !still, fadeAnimation: !still, markerZoomAnimation: !still, inertia: !still },
  })
  control.zoom({ zoomInTitle: places.zoomIn, zoomOutTitle: places.zoomOut }).addTo(map)
  control.scale({ imperial: false }).addTo(map)
  map.fitBounds(ISLAND, AROUND_ISLAND)
  map.setMinZoom(map.getZoom() - 1)
  const outline = site.island.coastline.rings.map(ring => [
    ring.map(([longitude, latitude]): [number, number] => [latitude, longitude]),
  ])
  const island = polygon(outline, { className: 'map-island', interactive: false }).addTo(map)
  const names = layerGroup(labels.map(labelMarker))
  const useOutline = () => {
    names.addTo(map)
    addStreetsLink(map)
  }
  if (baseMap === undefined) useOutline()
  else {
    // Until the first tile is there, and if none comes, the outline says more than an empty sea.
    baseLayer(baseMap).then(
      layer => void layer.once('tileload', () => island.remove()).addTo(map),
      useOutline,
    )
  }
  const spots = spotLayer(map)
  // After the markers are drawn.
  const showLabels = () =>
    showFreeLabels(
      element,
      outline.map(([ring = []]) =>
        ring.map(point => {
          const { x, y } = map.latLngToContainerPoint(point)
          return [x, y]
        }),
      ),
    )
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

/** Leads to a map with streets where the view is so close that an outline says little. */
function addStreetsLink(map: LeafletMap): void {
  const link = DomUtil.create('a', 'map-streets')
  link.rel = 'noreferrer'
  link.textContent = places.streets
  const corner = new Control({ position: 'bottomright' })
  corner.onAdd = () => link
  corner.addTo(map)
  const update = () => {
    link.hidden = map.getZoom() < STREETS_ZOOM
    const { lat: latitude, lng: longitude } = map.getCenter()
    link.href = areaAddress({ latitude, longitude }, Math.round(map.getZoom()))
  }
  map.on('moveend', update)
  update()
}

/** The layer of the operator's map. A host of tiles may ask for the site; it gets only the origin. */
const baseLayer = async (baseMap: VectorMap | MapTiles): Promise<GridLayer> =>
  'path' in baseMap
    ? (await import('./vector-layer.ts')).vectorLayer(baseMap.path)
    : tileLayer(baseMap.url, { maxZoom: MAX_ZOOM, referrerPolicy: 'strict-origin' })

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
  render(
    <div class="map-popup">
      <a class="map-popup-name" href={to(placePath(place))}>
        {place.name}
      </a>
      <p>{factsOf(place).join(' · ')}</p>
      <Directions place={place} />
    </div>,
    content,
  )
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
