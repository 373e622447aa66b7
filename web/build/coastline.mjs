import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** A ten-thousandth of a degree is eleven metres at most; the lines themselves are true to 250. */
const rounded = ([longitude, latitude]) => [Number(longitude.toFixed(4)), Number(latitude.toFixed(4))]

/** Gets the outer rings of the default island's land: the coastlines in its bounds (© OpenStreetMap contributors, ODbL). */
export function coastline() {
  const island = JSON.parse(readFileSync(new URL('../../src/island/default.json', import.meta.url), 'utf8'))
  const { south, north, west, east } = island.bounds
  const file = createRequire(import.meta.url).resolve('@geo-maps/countries-coastline-250m/map.geo.json')
  const { features } = JSON.parse(readFileSync(file, 'utf8'))
  const rings = features
    .flatMap(({ geometry: { type, coordinates } }) =>
      type === 'Polygon' ? [coordinates[0]] : coordinates.map(([ring]) => ring),
    )
    .filter(ring =>
      ring.every(
        ([longitude, latitude]) =>
          longitude > west && longitude < east && latitude > south && latitude < north,
      ),
    )
  if (rings.length === 0) throw new Error(`no coastline lies in the bounds of ${island.name}`)
  return rings.map(ring => ring.map(rounded))
}
