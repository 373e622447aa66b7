import { Compression, TileType, zxyToTileId } from 'pmtiles'
import { ISLAND } from '../../src/island/island.ts'

/** The zooms of the tiles. */
const [MIN_ZOOM, MAX_ZOOM] = [6, 12]
const EXTENT = 4096
/** The corners of a tile, each from the one before. */
const CORNERS = [
  [0, 0],
  [EXTENT, 0],
  [0, EXTENT],
  [-EXTENT, 0],
]

type Field = readonly [number: number, value: number | string | Uint8Array | readonly number[]]

function* varint(value: number): Generator<number> {
  for (; value > 127; value = Math.floor(value / 128)) yield (value % 128) + 128
  yield value
}

const packed = (values: readonly number[]) => Buffer.from(values.flatMap(value => [...varint(value)]))

/** A message of Protocol Buffers. */
const message = (...fields: readonly Field[]): Buffer =>
  Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === 'number') return packed([number * 8, value])
      const bytes = Array.isArray(value) ? packed(value) : Buffer.from(value as string | Uint8Array)
      return Buffer.concat([packed([number * 8 + 2, bytes.length]), bytes])
    }),
  )

const zigzag = (value: number) => (value < 0 ? -value * 2 - 1 : value * 2)

/** A layer of a vector tile (Mapbox Vector Tile 2.1) with one feature: the moves and lines of its geometry, and its texts. */
function layer(name: string, type: number, path: readonly number[][], texts: Record<string, string>): Field {
  const [start = [], ...rest] = path
  const close = type === 3 ? [15] : []
  const geometry = [9, ...start.map(zigzag), rest.length * 8 + 2, ...rest.flat().map(zigzag), ...close]
  const tags = Object.keys(texts).flatMap((_, at) => [at, at])
  return [
    3,
    message(
      [15, 2],
      [1, name],
      [2, message([2, tags], [3, type], [4, geometry])],
      ...Object.keys(texts).map((key): Field => [3, key]),
      ...Object.values(texts).map((text): Field => [4, message([1, text])]),
      [5, EXTENT],
    ),
  ]
}

/** A street to and fro, which no quarter of a tile is without. */
const STREET = [0, 1, 2, 3].flatMap(at => [
  at === 0 ? [0, 512] : [0, 1024],
  [at % 2 === 0 ? EXTENT : -EXTENT, 0],
])

/** A tile of land, with a street. */
const TILE = message(
  layer('earth', 3, CORNERS, { kind: 'earth' }),
  layer('roads', 2, STREET, { kind: 'major_road', name: 'Test Street' }),
)

/** The numbers of the tiles of a zoom that show the island. */
function tilesAt(zoom: number): number[] {
  const { west, east, south, north } = ISLAND.bounds
  const column = (longitude: number) => Math.floor(((longitude + 180) / 360) * 2 ** zoom)
  const row = (latitude: number) =>
    Math.floor((0.5 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** zoom)
  const ids: number[] = []
  for (let x = column(west); x <= column(east); x++)
    for (let y = row(north); y <= row(south); y++) ids.push(zxyToTileId(zoom, x, y))
  return ids
}

/** The parts of a map's file that tests make otherwise. */
interface Otherwise {
  readonly tileType?: TileType
  readonly metadata?: string
}

/** A map's file of the island: a PMTiles archive of version 3, without compression. */
export function packMapFile({ tileType = TileType.Mvt, metadata = METADATA }: Otherwise = {}): Buffer {
  const zooms = Array.from({ length: MAX_ZOOM - MIN_ZOOM + 1 }, (_, at) => MIN_ZOOM + at)
  const ids = zooms.flatMap(tilesAt).sort((a, b) => a - b)
  const deltas = ids.map((id, at) => id - (ids[at - 1] ?? 0))
  // One tile for all: each entry covers one number, and has its length and its place, which is the first.
  const same = (value: number) => ids.map(() => value)
  const directory = packed([ids.length, ...deltas, ...same(1), ...same(TILE.length), ...same(1)])
  const about = Buffer.from(metadata)
  const header = Buffer.alloc(127)
  header.write('PMTiles')
  header[7] = 3
  const afterDirectory = header.length + directory.length
  const data = afterDirectory + about.length
  const counts = [ids.length, ids.length, 1]
  const places = [header.length, directory.length, afterDirectory, about.length, data, 0, data, TILE.length]
  for (const [at, value] of [...places, ...counts].entries())
    header.writeBigUInt64LE(BigInt(value), 8 + at * 8)
  header.set([0, Compression.None, Compression.None, tileType, MIN_ZOOM, MAX_ZOOM], 96)
  const { west, east, south, north } = ISLAND.bounds
  for (const [at, degrees] of [west, south, east, north].entries())
    header.writeInt32LE(Math.round(degrees * 1e7), 102 + at * 4)
  return Buffer.concat([header, directory, about, TILE])
}

const METADATA = JSON.stringify({
  attribution: '<a href="https://www.openstreetmap.org/copyright">&copy; OpenStreetMap</a>',
  vector_layers: [{ id: 'earth' }, { id: 'roads' }],
})
