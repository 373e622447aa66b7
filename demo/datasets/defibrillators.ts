import { CREATED_AT, islandId } from '../island-facts.ts'
import { seededRandom } from '../random.ts'
import { list } from '../tables.ts'
import { PARISH, PARISHES, placeNames, pointIn } from './places.ts'

const COUNT = 75
const WITHOUT_NUMBER = 30
const WITHOUT_COORDINATES = 20
const BUILDINGS = list('Surgery, Village Shop, Sports Club, School, Church, Inn, Telephone Box, Hotel')

/** Lives may depend on a defibrillator, so each record says that it is invented. */
const NOTES = 'INVENTED: there is no defibrillator here'

/** The island's defibrillators in the API's own form. */
export function defibrillators(seed: number) {
  const random = seededRandom(seed, 'defibrillators')
  const place = placeNames(random)
  const results = Array.from({ length: COUNT }, (_, index) => {
    const hall = PARISHES[index]
    const parish = hall ?? random.weighted(PARISH)
    const point = pointIn(parish, random)
    const isPlaced = index < COUNT - WITHOUT_COORDINATES
    return {
      id: islandId(seed, 'defibrillator', index),
      createdAt: CREATED_AT,
      location: hall === undefined ? `${place()} ${random.pick(BUILDINGS)}` : `${hall.name} Parish Hall`,
      parish: parish.name,
      padNumber: index % 5 < 2 && index < WITHOUT_NUMBER * 2.5 ? null : index + 1,
      latitude: isPlaced ? point.latitude : null,
      longitude: isPlaced ? point.longitude : null,
      notes: NOTES,
    }
  })
  return { results }
}
