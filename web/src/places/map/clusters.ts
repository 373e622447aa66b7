import Supercluster from 'supercluster'
import { type Located, type Place, placeKey } from '../kinds.ts'

/** A place, or several that would cover each other. */
export type Spot =
  | { readonly key: string; readonly at: Located; readonly place: Place & Located }
  | { readonly key: string; readonly at: Located; readonly count: number; readonly zoom: number }

/** The corners of the view: west, south, east, north. */
export type Box = [number, number, number, number]

const RADIUS_PX = 48
/** From this zoom on, places stand apart or are in the same building. */
const MAX_CLUSTER_ZOOM = 16

/** Groups places that would cover each other at a zoom. */
export function createClusters(places: readonly (Place & Located)[]): (box: Box, zoom: number) => Spot[] {
  const index = new Supercluster<{ readonly place: Place & Located }>({
    radius: RADIUS_PX,
    maxZoom: MAX_CLUSTER_ZOOM,
    // Leaflet's tiles have this size.
    extent: 256,
  })
  index.load(
    places.map(place => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [place.longitude, place.latitude] },
      properties: { place },
    })),
  )
  return (box, zoom) =>
    index.getClusters(box, zoom).map(({ geometry, properties }) => {
      const [longitude = 0, latitude = 0] = geometry.coordinates
      const at = { latitude, longitude }
      if ('place' in properties) return { key: placeKey(properties.place), at, place: properties.place }
      const { cluster_id: id, point_count: count } = properties
      return { key: `${id}`, at, count, zoom: index.getClusterExpansionZoom(id) }
    })
}
