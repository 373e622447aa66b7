import { type Random, weights } from '../random.ts'
import { list } from '../tables.ts'

/** A parish of the synthetic island. Its places lie around this inland point. */
export interface Parish {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  /** The share of the island's places, relative to the other parishes. */
  readonly weight: number
}

/**
 * The twelve invented parishes. Their points lie on the land of the real island, well away from the coast, so that maps
 * and checks of coordinates work as with real data.
 */
export const PARISHES: readonly Parish[] = [
  { name: 'St Aubrey', latitude: 49.189, longitude: -2.094, weight: 30 },
  { name: 'St Corbinet', latitude: 49.192, longitude: -2.2, weight: 18 },
  { name: 'St Fulque', latitude: 49.185, longitude: -2.055, weight: 9 },
  { name: 'St Gilbard', latitude: 49.22, longitude: -2.05, weight: 9 },
  { name: 'St Mauger', latitude: 49.213, longitude: -2.165, weight: 7 },
  { name: 'St Perrinot', latitude: 49.213, longitude: -2.125, weight: 7 },
  { name: 'St Radolf', latitude: 49.213, longitude: -2.085, weight: 6 },
  { name: 'St Wilmot', latitude: 49.214, longitude: -2.205, weight: 6 },
  { name: 'St Ysolde', latitude: 49.236, longitude: -2.21, weight: 5 },
  { name: 'Grandmirage', latitude: 49.237, longitude: -2.17, weight: 4 },
  { name: 'Marlieu', latitude: 49.237, longitude: -2.13, weight: 4 },
  { name: 'Unity', latitude: 49.232, longitude: -2.09, weight: 4 },
]

/** The parishes by weight. */
export const PARISH = weights(PARISHES.map(parish => [parish, parish.weight]))

const LATITUDE_REACH = 0.006
const LONGITUDE_REACH = 0.011

/** A random point in the parish, rounded to `decimals`. */
export function pointIn(parish: Parish, random: Random, decimals = 6) {
  const near = (degrees: number, reach: number) =>
    Number((degrees + (random.next() * 2 - 1) * reach).toFixed(decimals))
  return {
    latitude: near(parish.latitude, LATITUDE_REACH),
    longitude: near(parish.longitude, LONGITUDE_REACH),
  }
}

const NORMAN_ROADS = list('La Rue, Le Mont, La Route, Le Chemin, La Ruelle, Le Clos')
const NORMAN_ENDS = list(`
  de l'Exemple, de la Fable, du Songe, des Mirages, de la Chimère, du Conte, de l'Utopie, du Faux Clocher,
  de la Lune Bleue, des Trois Licornes, du Griffon, de Nulle Part, du Roi Perdu, des Sept Sommeils, du Phénix,
  de l'Ombre Verte`)
const ENGLISH_STARTS = list(`
  Griffin, Unicorn, Mirage, Fable, Nowhere, Phoenix, Chimera, Lost King, Blue Moon, Make-Believe, Mermaid, Wyvern`)
const ENGLISH_ROADS = list('Lane, Hill, Green, Street, Cross, Bay, Farm')

/** An invented place name in the style of the islands; two in three are Norman. */
function placeName(random: Random): string {
  return random.chance(0.65)
    ? `${random.pick(NORMAN_ROADS)} ${random.pick(NORMAN_ENDS)}`
    : `${random.pick(ENGLISH_STARTS)} ${random.pick(ENGLISH_ROADS)}`
}

/** Returns a generator of distinct place names. */
export function placeNames(random: Random, taken: Iterable<string> = []): () => string {
  const given = new Set(taken)
  return () => {
    let name = placeName(random)
    while (given.has(name)) name = placeName(random)
    given.add(name)
    return name
  }
}
