import { COASTLINE } from 'virtual:coastline'
import type { Located } from './kinds.ts'

const longitudes = COASTLINE.map(([longitude]) => longitude)
const latitudes = COASTLINE.map(([, latitude]) => latitude)

/** The corners of the island. */
export const BOUNDS = {
  west: Math.min(...longitudes),
  east: Math.max(...longitudes),
  south: Math.min(...latitudes),
  north: Math.max(...latitudes),
}

/** Units of the drawing for a degree of latitude: the island is some 700 units wide. */
const SCALE = 4000
const MARGIN = 30
const SHRINK = Math.cos((((BOUNDS.south + BOUNDS.north) / 2) * Math.PI) / 180)

const round = (value: number) => Math.round(value * 10) / 10

/** The place of a position in the drawing. The projection is equirectangular, which is precise enough for one island. */
export const project = ({ latitude, longitude }: Located): readonly [x: number, y: number] => [
  round(MARGIN + (longitude - BOUNDS.west) * SCALE * SHRINK),
  round(MARGIN + (BOUNDS.north - latitude) * SCALE),
]

const [right, bottom] = project({ latitude: BOUNDS.south, longitude: BOUNDS.east })

/** The size of the drawing. */
export const SIZE = { width: Math.ceil(right + MARGIN), height: Math.ceil(bottom + MARGIN) }

/** The island's outline as the path of a drawing. */
export const OUTLINE = `M${COASTLINE.map(([longitude, latitude]) => project({ latitude, longitude }).join(' ')).join('L')}Z`
