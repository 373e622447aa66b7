import { counts } from '../texts/en/counts.ts'
import { text } from '../texts/text.ts'
import { ALTERNATIVES } from '../words/lists.ts'
import type { CarPark, CarParkInBrief } from './records.ts'

const TYPES: Readonly<Record<string, string>> = counts.stays
const SURFACES: Readonly<Record<string, string>> = counts.surfaces
const METHODS: Readonly<Record<string, string>> = counts.payments

/** How long people may park, or undefined if that is not known. */
export const stayOf = ({ type }: CarParkInBrief): string | undefined => TYPES[type]

/** The surface of the ground in words. */
export const surfaceOf = ({ surfaceType }: Pick<CarPark, 'surfaceType'>): string =>
  SURFACES[surfaceType] ?? surfaceType

/** The ways to pay, such as `phone (code 59821) or paycard`, or undefined. */
export function paymentOf({ paymentMethods, payByPhoneCode }: CarParkInBrief): string | undefined {
  const ways = paymentMethods.map(method =>
    method === 'PAY_BY_PHONE' && payByPhoneCode !== null
      ? text(counts.phoneWithCode, { code: payByPhoneCode })
      : (METHODS[method] ?? method),
  )
  return ALTERNATIVES.format(ways) || undefined
}
