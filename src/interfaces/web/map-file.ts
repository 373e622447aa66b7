import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { decodeHTML } from 'entities'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { tagOf } from '../../http/representation.ts'
import { fileResponse } from '../../http/response.ts'
import type { Router } from '../../http/router.ts'
import { errorCode } from '../../values/system/error-code.ts'
import { DAY_S, HOUR_S } from '../../values/time-units.ts'
import type { MapTiles, VectorMap } from './explorer.ts'

const PATH = '/map.pmtiles'
/** PMTiles keeps its header and the root directory within these bytes (PMTiles 3, sections 3 and 4). */
const ROOT_BYTES = 16_384
const HEADER_BYTES = 127
const VECTOR_TILES = 1
/** The layer of Protomaps' basemap without which the map would show no streets. */
const STREETS = 'roads'

/** The vector tiles of the map: one file in the form of PMTiles 3. */
export interface MapFile {
  readonly fd: number
  readonly bytes: number
  readonly modified: Date
  /** Identifies the content on every instance, whenever the file was copied there. */
  readonly tag: string
  readonly zooms: readonly [min: number, max: number]
  /** West, south, east, north, degrees. */
  readonly bounds: readonly number[]
  /** Whom the map names, as plain text; undefined if the file does not say. */
  readonly attribution: string | undefined
}

/** The reason why a map file cannot be used. */
export class MapFileError extends Error {}

/** Opens the file that MAP_FILE names. It stays open, so that a file that replaces it is served after the next start. Throws {@link MapFileError}. */
export function openMapFile(path: string): MapFile {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch (error) {
    throw new MapFileError(`${path} cannot be read (${errorCode(error)})`)
  }
  const stats = fstatSync(fd)
  if (!stats.isFile()) throw new MapFileError(`${path} is not a file`)
  const { size: bytes, mtime: modified } = stats
  const start = bytesAt(fd, 0, Math.min(bytes, ROOT_BYTES))
  const { metadata, tiles, zooms, bounds, compression } = headerOf(path, start)
  const needed = Math.max(metadata.end, tiles.end)
  if (bytes < needed) throw new MapFileError(`${path} is cut short: it has ${bytes} of ${needed} bytes`)
  const { layers, attribution } = metadataOf(path, compression, bytesAt(fd, metadata.start, metadata.length))
  if (!layers.includes(STREETS))
    throw new MapFileError(
      `${path} has no layer "${STREETS}" but ${layers.join(', ') || 'none'}: the map draws the layers of Protomaps' basemap`,
    )
  return { fd, bytes, modified, tag: tagOf(start, String(bytes)), zooms, bounds, attribution }
}

function bytesAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position))
}

function headerOf(path: string, start: Buffer) {
  if (start.length < HEADER_BYTES || start.toString('latin1', 0, 7) !== 'PMTiles')
    throw new MapFileError(`${path} is not a PMTiles file`)
  if (start[7] !== 3)
    throw new MapFileError(`${path} is PMTiles version ${start[7]}: only version 3 can be used`)
  const [compression = 0, , tileType, minZoom = 0, maxZoom = 0] = start.subarray(97)
  if (tileType !== VECTOR_TILES)
    throw new MapFileError(`${path} has images as tiles: only vector tiles (MVT) can be used`)
  const section = (at: number) => {
    const [from, length] = [Number(start.readBigUInt64LE(at)), Number(start.readBigUInt64LE(at + 8))]
    return { start: from, length, end: from + length }
  }
  return {
    metadata: section(24),
    tiles: section(56),
    compression,
    zooms: [minZoom, maxZoom] as const,
    bounds: [102, 106, 110, 114].map(at => start.readInt32LE(at) / 1e7),
  }
}

/** How the metadata is decompressed, by the number of its compression. */
const DECOMPRESS: Readonly<Record<number, (bytes: Buffer) => Buffer>> = {
  1: bytes => bytes,
  2: gunzipSync,
  3: brotliDecompressSync,
}

/** The names of the layers of a file, and whom it names as its makers. */
function metadataOf(path: string, compression: number, bytes: Buffer) {
  try {
    const metadata = JSON.parse(String(DECOMPRESS[compression]?.(bytes)))
    const layers: string[] = metadata.vector_layers.map(({ id }: { id: unknown }) => String(id))
    const attribution = decodeHTML(String(metadata.attribution ?? '').replace(/<[^<>]*>/g, '')).trim()
    return { layers, attribution: attribution || undefined }
  } catch (error) {
    throw new MapFileError(`${path} is damaged: its metadata cannot be read`, { cause: error })
  }
}

/**
 * Adds the file of the map, of which pages ask the parts that they show; or names the tiles of another host. Undefined without a
 * setting, and for a file that cannot be used.
 */
export function addBaseMap(router: Router, config: Config, log: Logger): VectorMap | MapTiles | undefined {
  const { MAP_FILE: path, MAP_TILE_URL: url, MAP_TILE_ATTRIBUTION: attribution } = config
  if (url !== undefined)
    log.warn({ event: 'setting-deprecated', setting: 'MAP_TILE_URL' }, 'MAP_TILE_URL will go: set MAP_FILE')
  if (path === undefined) return url === undefined ? undefined : { url, attribution }
  try {
    return addMapFile(router, openMapFile(path))
  } catch (error) {
    if (!(error instanceof MapFileError)) throw error
    log.error({ event: 'map-file-unusable', detail: error.message }, 'the map shows the outline alone')
    return undefined
  }
}

function addMapFile(router: Router, { fd, bytes, modified, tag, attribution }: MapFile): VectorMap {
  const about = {
    type: 'application/vnd.pmtiles',
    lastModified: modified,
    maxAge: HOUR_S,
    staleIfError: DAY_S,
    synthetic: false,
  }
  const file = {
    tag,
    made: () => ({ bytes }),
    whole: async () => ({ bytes }),
    read: ({ start, end } = { start: 0, end: bytes }) => ({
      chunks: createReadStream('', { fd, autoClose: false, start, end: end - 1 }),
    }),
  }
  router.add({
    path: PATH,
    handle: request =>
      fileResponse(about, file, request, size => router.shared.unread.admit(request.client(), size)),
  })
  router.onClose(() => closeSync(fd))
  return { path: router.shared.address(PATH), attribution: attribution ?? '© OpenStreetMap contributors' }
}
