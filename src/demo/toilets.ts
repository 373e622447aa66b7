import { CREATED_AT, islandId, islandOwner } from './island-facts.ts'
import { PARISHES, placeNames, pointIn } from './places.ts'
import { type Random, seededRandom, weights } from './random.ts'

const COUNT = 55
const WITHOUT_SIDES = 2
const WITHOUT_OWNER = 10
const PARISH = weights(PARISHES.map(parish => [parish, parish.weight]))
const TENURE = weights([
  ['FREEHOLD', 43],
  ['LEASEHOLD', 6],
  ['PARISH', 6],
])
const OWNER = weights([
  [0, 36],
  [1, 8],
  [3, 1],
])
const FACILITIES = weights([
  [['DISABLED'], 23],
  [[], 10],
  [['DISABLED', 'BABY_CHANGING'], 9],
  [['BEACH_SHOWER', 'DISABLED'], 5],
  [['BEACH_SHOWER', 'DISABLED', 'BABY_CHANGING'], 3],
  [['BEACH_SHOWER'], 2],
  [['GENDER_NEUTRAL', 'DISABLED', 'BABY_CHANGING'], 3],
])

/** The island's public toilets in the API's own form. */
export function toilets(seed: number) {
  const random = seededRandom(seed, 'toilets')
  const place = placeNames(random)
  const results = Array.from({ length: COUNT }, (_, index) => {
    const parish = random.weighted(PARISH)
    const counted = random.chance(0.2)
    const hasSides = index < COUNT - WITHOUT_SIDES
    // Publishers of toilets write the saint with a dot, those of the other lists without.
    const parishName = parish.name.replace(/^St /, 'St. ')
    return {
      id: islandId(seed, 'toilet', index),
      createdAt: CREATED_AT,
      name: `${place()} ${parishName}`,
      parish: parishName,
      ...pointIn(parish, random, 8),
      tenure: random.weighted(TENURE),
      owner:
        index % 5 === 2 && index < WITHOUT_OWNER * 5 ? NOBODY : islandOwner(seed, random.weighted(OWNER)),
      buildDate: random.chance(0.1) ? null : random.int(1908, 2012),
      facilities: random.weighted(FACILITIES),
      female: hasSides ? womensSide(random, counted) : null,
      male: hasSides ? mensSide(random, counted) : null,
    }
  })
  return { results }
}

const NOBODY = { id: null, name: null }

function womensSide(random: Random, counted: boolean) {
  return {
    cubicles: counted ? random.int(1, 6) : null,
    handDryers: null,
    sinks: counted ? random.int(1, 4) : null,
    periodProducts: random.chance(0.15) ? ['TAMPONS', 'PADS'] : [],
  }
}

function mensSide(random: Random, counted: boolean) {
  return {
    cubicles: counted ? random.int(1, 3) : null,
    urinals: counted ? random.int(1, 5) : null,
    handDryers: null,
    sinks: counted ? random.int(1, 3) : null,
    periodProducts: [],
  }
}
