import type { Config } from '../../config.ts'
import type { MapTiles } from './explorer.ts'

/** The raster tiles of the map as the operator has set them; undefined where there are none. */
export const mapTiles = ({
  MAP_TILE_URL: url,
  MAP_TILE_ATTRIBUTION: attribution,
}: Pick<Config, 'MAP_TILE_URL' | 'MAP_TILE_ATTRIBUTION'>): MapTiles | undefined =>
  url === undefined ? undefined : { url, attribution }
