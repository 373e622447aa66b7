import type { StoredRecord } from '../../src/query/query.ts'

const DAY_MS = 86_400_000
const MAKES = ['Ford', 'Ford', 'Ford', 'Citroën', 'Bedford', 'Vauxhall', 'B.M.W.', 'Škoda']
const COLOURS = ['Blue', 'Blue', 'Red', 'Grey', 'White', 'Silver', 'Not Specified']
const FUELS = ['PETROL', 'PETROL', 'HEAVY_OIL', 'ELECTRIC']
const NAMES = ['FIESTA', 'Focus', 'C4', 'corsa', 'Octavia']
const MODELS = 4400

/**
 * Makes vehicles as a large register has them, the same for the same number: some makes frequent, some rare, one in old
 * years alone, models in thousands of spellings, days in bunches, and now and then no day.
 */
export function manyVehicles(count: number): StoredRecord[] {
  let state = 1
  /** A number from 0 until before `below` (Lehmer's generator). */
  const random = (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  const pick = <T>(list: readonly T[]) => list[random(list.length)]
  return Array.from({ length: count }, (_, index) => {
    const year = random(100) < 80 ? 1990 + random(35) : 1920 + random(70)
    const first = Math.floor(Date.UTC(year, random(12), 1 + random(28)) / DAY_MS)
    const here = random(3) === 0 ? first + random(4000) : first
    const isOld = year < 1950
    return {
      make:
        index === 4321 ? 'Once' : isOld ? 'Lagonda' : random(20) === 0 ? `Make ${random(40)}` : pick(MAKES),
      model: random(500) === 0 ? '' : `${pick(NAMES)} ${modelNumber(random)}`,
      color: random(2000) === 0 ? 'Pink' : pick(COLOURS),
      cylinderCapacity: random(30) === 0 ? null : 800 + random(50) * 62.5,
      fuelType: isOld ? 'STEAM' : pick(FUELS),
      firstRegisteredAt: random(200) === 0 ? null : midnight(first),
      firstRegisteredInJerseyAt: random(150) === 0 ? null : midnight(here),
      hash: index.toString(16).padStart(64, '0'),
    }
  })
}

/** Some are more frequent than others, and some have the words of an engine as well. */
function modelNumber(random: (below: number) => number): string {
  const number = Math.floor((random(1_000_000) / 1_000_000) ** 2 * (MODELS / NAMES.length))
  return `${number}${number % 7 === 0 ? ' 1.4 ZETEC' : ''}`
}

const midnight = (days: number): string => new Date(days * DAY_MS).toISOString()
