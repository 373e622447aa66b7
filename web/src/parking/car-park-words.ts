import type { CarPark, CarParkInBrief } from './records.ts'

const TYPES: Readonly<Record<string, string>> = { LONG_STAY: 'Long stay', SHORT_STAY: 'Short stay' }
const SURFACES: Readonly<Record<string, string>> = {
  TARMAC: 'Tarmac',
  CONCRETE: 'Concrete',
  GRAVEL: 'Gravel',
}
const METHODS: Readonly<Record<string, string>> = {
  PAY_BY_PHONE: 'phone',
  PAYCARD: 'paycard',
  SEASON_TICKET: 'season ticket',
  PAY_STATION: 'pay station',
}

/** How long people park there; undefined where that is not known. */
export const stayOf = ({ type }: CarParkInBrief): string | undefined => TYPES[type]

/** What one parks on. */
export const surfaceOf = ({ surfaceType }: Pick<CarPark, 'surfaceType'>): string =>
  SURFACES[surfaceType] ?? surfaceType

/** How one pays, such as `phone (code 59821) or paycard`; undefined where nothing is known. */
export function paymentOf({ paymentMethods, payByPhoneCode }: CarParkInBrief): string | undefined {
  const ways = paymentMethods.map(method => {
    const way = METHODS[method] ?? method
    return method === 'PAY_BY_PHONE' && payByPhoneCode !== null ? `${way} (code ${payByPhoneCode})` : way
  })
  const last = ways.pop()
  return ways.length === 0 ? last : `${ways.join(', ')} or ${last}`
}
