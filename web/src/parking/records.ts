import type { components } from '../../../client/src/schema.ts'

/* The records of the API that the pages of parking read. */

type Schemas = components['schemas']

export type CarPark = Schemas['CarparkInList']
/** The fields of a car park in a list. */
export type CarParkInBrief = Pick<
  CarPark,
  'name' | 'type' | 'paymentMethods' | 'payByPhoneCode' | 'spaces' | 'latitude' | 'longitude'
>

export type Forecast = Schemas['CarparkForecast']
export type TypicalWeek = Schemas['TypicalWeek']
export type LiveCarPark = Schemas['LiveCarpark']
export type Interval = Schemas['CarparkBucket']

/** The live spaces with `include=quality`, or with `include=quality,forecast`. */
export interface LiveSpaces {
  readonly results: readonly (Schemas['LiveStreamEntry'] & Pick<Schemas['LiveSpace'], 'forecast'>)[]
  readonly missing: readonly Schemas['MissingCarpark'][]
  readonly timestamp: string
}
