import { CREATED_AT, islandId } from '../island-facts.ts'
import { type Random, seededRandom } from '../random.ts'
import { list, numbers } from '../tables.ts'
import { PARISH, PARISHES, placeNames, pointIn } from './places.ts'

const COUNT = 58
/** The probability of each service at a centre that takes more than drink cans. */
const SERVICES = numbers(`
  BATTERIES: 0.6, CARDBOARD: 0.7, METAL_PACKAGING: 0.75, PAPER: 0.85, PLASTIC_BOTTLES: 0.75, GLASS: 0.3,
  MIXED_TEXTILES: 0.35`)
const NOTES = list(`
  Next to the parish hall, Behind the village shop, In the car park, Opposite the chapel, Closed on Sundays`)

/** The island's recycling centres in the API's own form. */
export function recyclingCentres(seed: number) {
  const random = seededRandom(seed, 'recycling')
  const place = placeNames(random)
  const results = Array.from({ length: COUNT }, (_, index) => {
    const hall = PARISHES[index]
    const parish = hall ?? random.weighted(PARISH)
    return {
      id: islandId(seed, 'recycling', index),
      createdAt: CREATED_AT,
      location: hall === undefined ? place() : `${hall.name} Parish Hall`,
      parish: parish.name,
      ...pointIn(parish, random),
      notes: random.chance(0.3) ? random.pick(NOTES) : null,
      services: services(random),
    }
  })
  return { results }
}

function services(random: Random): string[] {
  if (random.chance(0.25)) return ['METAL_PACKAGING_DRINK_CANS']
  const taken = SERVICES.filter(([, probability]) => random.chance(probability)).map(([service]) => service)
  return taken.length > 0 ? taken : ['PAPER']
}
