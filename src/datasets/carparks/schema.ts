import Type from 'typebox'
import * as field from '../fields.ts'

const spaces = (of: string) => field.integer({ measure: true, description: `Number of ${of}.`, minimum: 0 })

const PAYMENT_METHODS = {
  PAY_BY_PHONE: 'Phone payment',
  PAYCARD: 'Paycards',
  SEASON_TICKET: 'Season tickets',
  PAY_STATION: 'A pay station',
}

/** A car park with all stored fields (spec 2.4). No endpoint serves this form. */
export const Carpark = Type.Object(
  {
    id: field.id(),
    createdAt: field.createdAt(),
    name: field.text({ description: 'Name.', examples: ['Green Street'] }),
    payByPhoneCode: field.nullableCode({
      description: 'Code for paying by phone, a string of digits; null where there is none.',
      examples: ['59821'],
    }),
    owner: field.nullableOwner(),
    type: field.enumeration(
      { LONG_STAY: 'Long stay', SHORT_STAY: 'Short stay', UNKNOWN: 'Not known' },
      { filter: 'equals', several: true, count: true, description: 'Intended length of stay.' },
    ),
    surfaceType: field.enumeration(
      { TARMAC: 'Tarmac', CONCRETE: 'Concrete', GRAVEL: 'Gravel; likely has no marked bays' },
      { count: true, description: 'Surface; gravel likely has no marked bays.' },
    ),
    multiStorey: field.flag({
      filter: 'equals',
      count: true,
      label: 'several storeys',
      description: 'True if it has several storeys.',
    }),
    latitude: field.latitude(),
    longitude: field.longitude(),
    paymentMethods: field.enumerationList(PAYMENT_METHODS, {
      description: 'Ways to pay; empty where none is needed or known.',
    }),
    spaces: spaces('spaces in all, disabled, electric, parent and child spaces included'),
    disabledSpaces: spaces('spaces for disabled people'),
    parentChildSpaces: spaces('spaces for parents with children'),
    electricChargingSpaces: spaces('spaces with electric charging'),
    liveTrackingCode: field.nullableText({
      description: 'Code of the car park in the live feed; null if it has no live count.',
      examples: ['GREENST'],
    }),
    notes: field.nullableText({ description: 'Notes, or null.' }),
  },
  { $id: 'CarparkRecord', title: 'Car park record' },
)
export type Carpark = Type.Static<typeof Carpark>

/** A car park in the list: without `createdAt` (spec 4.6). */
export const CarparkInList = Type.Omit(Carpark, ['createdAt'], {
  $id: 'CarparkInList',
  title: 'Car park in the list',
  description: 'A car park in the list.',
})

/** A car park by itself: without `paymentMethods` (spec 4.7). */
export const CarparkAlone = Type.Omit(Carpark, ['paymentMethods'], {
  $id: 'Carpark',
  title: 'Car park',
  description: 'A car park by itself.',
})
