import { LIVE_CARPARKS } from '../feed/live-carparks.ts'
import { CREATED_AT, islandId, islandOwner } from '../island-facts.ts'
import { type Random, seededRandom } from '../random.ts'
import { list, weighted } from '../tables.ts'
import { PARISH, PARISHES, placeNames, pointIn } from './places.ts'

const COUNT = 79
const TOWN = PARISHES.slice(0, 1)
const TYPE = weighted('UNKNOWN: 40, LONG_STAY: 24, SHORT_STAY: 7')
const SURFACE = weighted('TARMAC: 66, GRAVEL: 29, CONCRETE: 5')
/** Owners by their positions in the list. */
const OWNER = weighted('0: 90, 1: 7, 2: 3')
const NOTES = list(`Season tickets are good for half the price here, Free from October to March,
  Height limit 2.1 m, Floods at spring tides`)

/** The island's car parks in the API's own form. */
export function carparks(seed: number) {
  const random = seededRandom(seed, 'carparks')
  const name = placeNames(
    random,
    LIVE_CARPARKS.map(carpark => carpark.name),
  )
  return {
    results: Array.from({ length: COUNT }, (_, index) => {
      const live = LIVE_CARPARKS[index]
      const of = live === undefined ? surface(random, name()) : multiStorey(random, live)
      // No pay-by-phone code of a real car park has two leading zeros.
      const payByPhoneCode = of.type === 'UNKNOWN' ? null : `00${101 + index}`
      return {
        id: islandId(seed, 'carpark', index),
        createdAt: CREATED_AT,
        ...of,
        owner: islandOwner(seed, Number(random.weighted(OWNER))),
        payByPhoneCode,
        paymentMethods: paymentMethods(random, payByPhoneCode !== null, of.multiStorey),
      }
    }),
  }
}

function multiStorey(random: Random, { name, code, type, spaces }: (typeof LIVE_CARPARKS)[number]) {
  return {
    name,
    type,
    surfaceType: 'CONCRETE',
    multiStorey: true,
    ...pointIn(random.pick(TOWN), random),
    spaces,
    disabledSpaces: random.int(4, 22),
    parentChildSpaces: random.int(0, 8),
    electricChargingSpaces: random.int(2, 12),
    liveTrackingCode: code,
    notes: type === 'SHORT_STAY' ? 'Up to three hours' : null,
  }
}

function surface(random: Random, name: string) {
  const spaces = random.chance(0.25) ? random.int(5, 14) : random.int(12, 150)
  return {
    name,
    type: random.weighted(TYPE),
    surfaceType: random.weighted(SURFACE),
    multiStorey: false,
    ...pointIn(random.weighted(PARISH), random),
    spaces,
    disabledSpaces: random.chance(0.4) ? random.int(1, 4) : 0,
    parentChildSpaces: random.chance(0.03) ? 2 : 0,
    electricChargingSpaces: random.chance(0.13) ? 2 : 0,
    liveTrackingCode: null,
    notes: random.chance(0.25) ? random.pick(NOTES) : null,
  }
}

function paymentMethods(random: Random, paid: boolean, multi: boolean): string[] {
  if (!paid) return []
  if (multi) return ['PAY_BY_PHONE', 'PAY_STATION', ...(random.chance(0.5) ? ['SEASON_TICKET'] : [])]
  return ['PAY_BY_PHONE', 'PAYCARD', ...(random.chance(0.85) ? ['SEASON_TICKET'] : [])]
}
