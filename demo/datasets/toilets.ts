import { CREATED_AT, islandId, islandOwner } from '../island-facts.ts'
import { type Random, seededRandom } from '../random.ts'
import { list, weighted } from '../tables.ts'
import { PARISH, placeNames, pointIn } from './places.ts'

const COUNT = 55
const WITHOUT_SIDES = 2
const WITHOUT_OWNER = 10
const TENURE = weighted('FREEHOLD: 43, LEASEHOLD: 6, PARISH: 6')
/** Owners by their positions in the list. */
const OWNER = weighted('0: 36, 1: 8, 3: 1')
const FACILITIES = weighted(`
  DISABLED: 23, : 10, DISABLED BABY_CHANGING: 9, BEACH_SHOWER DISABLED: 5, BEACH_SHOWER DISABLED BABY_CHANGING: 3,
  BEACH_SHOWER: 2, GENDER_NEUTRAL DISABLED BABY_CHANGING: 3`)

/** The island's public toilets in the API's own form. */
export function toilets(seed: number) {
  const random = seededRandom(seed, 'toilets')
  const place = placeNames(random)
  const results = Array.from({ length: COUNT }, (_, index) => {
    const parish = random.weighted(PARISH)
    const counted = random.chance(0.2)
    const hasSides = index < COUNT - WITHOUT_SIDES
    // Publishers of toilets write the saint with a dot, other publishers without.
    const parishName = parish.name.replace(/^St /, 'St. ')
    return {
      id: islandId(seed, 'toilet', index),
      createdAt: CREATED_AT,
      name: `${place()} ${parishName}`,
      parish: parishName,
      ...pointIn(parish, random, 8),
      tenure: random.weighted(TENURE),
      owner:
        index % 5 === 2 && index < WITHOUT_OWNER * 5
          ? NOBODY
          : islandOwner(seed, Number(random.weighted(OWNER))),
      buildDate: random.chance(0.1) ? null : random.int(1908, 2012),
      facilities: list(random.weighted(FACILITIES), ' '),
      female: hasSides ? womensSide(random, counted) : null,
      male: hasSides ? mensSide(random, counted) : null,
    }
  })
  return { results }
}

const NOBODY = { id: null, name: null }

/** The equipment of a side. Few publishers have counted it. */
const equipment = (random: Random, counted: boolean) => (most: number) =>
  counted ? random.int(1, most) : null

function womensSide(random: Random, counted: boolean) {
  const upTo = equipment(random, counted)
  const [cubicles, sinks] = [upTo(6), upTo(4)]
  return { cubicles, handDryers: null, sinks, periodProducts: random.chance(0.15) ? ['TAMPONS', 'PADS'] : [] }
}

function mensSide(random: Random, counted: boolean) {
  const upTo = equipment(random, counted)
  return { cubicles: upTo(3), urinals: upTo(5), handDryers: null, sinks: upTo(3), periodProducts: [] }
}
