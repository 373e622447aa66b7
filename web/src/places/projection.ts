import { site } from '../site.ts'
import type { Located } from './kinds.ts'

/** A position on a drawing or on a map as it is shown. */
export type Point = readonly [x: number, y: number]

/** Units of the drawing along its longer side, without its margin. */
const LENGTH = 700
const MARGIN = 30

const round = (value: number) => Math.round(value * 10) / 10

/** The corners of the island. */
export function islandBounds() {
  const points = site.island.coastline.rings.flat()
  const longitudes = points.map(([longitude]) => longitude)
  const latitudes = points.map(([, latitude]) => latitude)
  const [west, east] = [Math.min(...longitudes), Math.max(...longitudes)]
  return { west, east, south: Math.min(...latitudes), north: Math.max(...latitudes) }
}

type Drawing = ReturnType<typeof draw>
let drawn: Drawing | undefined

/** The island as a drawing: its size, its outline as a path, and the function that places positions in it. */
export const drawing = (): Drawing => (drawn ??= draw())

/** The projection is equirectangular, which is precise enough for one island. */
function draw() {
  const { west, east, south, north } = islandBounds()
  const shrink = Math.cos((((south + north) / 2) * Math.PI) / 180)
  const scale = LENGTH / Math.max((east - west) * shrink, north - south)
  const project = ({ latitude, longitude }: Located): Point => [
    round(MARGIN + (longitude - west) * scale * shrink),
    round(MARGIN + (north - latitude) * scale),
  ]
  const [right, bottom] = project({ latitude: south, longitude: east })
  const rings = site.island.coastline.rings.map(ring =>
    ring.map(([longitude, latitude]) => project({ latitude, longitude })),
  )
  return {
    width: Math.ceil(right + MARGIN),
    height: Math.ceil(bottom + MARGIN),
    rings,
    outline: rings.map(ring => `M${ring.map(point => point.join(' ')).join('L')}Z`).join(''),
    project,
  }
}
