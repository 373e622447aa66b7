/** Words of headings that mean the same as another. Articles and units mean nothing there. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    color: 'colour',
    latitude: 'lat',
    longitude: 'lon lng long',
    registered: 'reg regd registration',
    '': 'a an of the no number coord coordinate wgs 84 wgs84 epsg 4326 deg degrees decimal dd cc kg g km',
  }).flatMap(([word, others]) => others.split(' ').map(other => [other, word] as const)),
)

/** The words of a heading in a fixed order: headings with the same words mean the same. */
export function wordsOf(heading: string): string {
  const words = heading
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map(word => WORDS.get(word) ?? word)
  return [...new Set(words)].filter(Boolean).sort().join(' ')
}

/** A position, of which one column supplies both fields. */
export const POSITION = ['latitude', 'longitude'] as const

/** Other names of columns with positions. The surest come first: X, Y and the names of a grid often hold metres. */
export const POSITION_NAMES = (
  [
    ['geo point 2d,geo point,geopoint,lat long,latlong,latlon,latlng,coordinates,coords', POSITION],
    ['wkt,geometry,geom,the geom', POSITION],
    ['point y,y,northing,northings', ['latitude']],
    ['point x,x,easting,eastings', ['longitude']],
  ] as const
).flatMap(([names, fields]) => names.split(',').map(name => ({ name, fields })))
