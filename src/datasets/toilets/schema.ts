import Type from 'typebox'
import * as field from '../fields.ts'

const count = (of: string) =>
  field.nullableInteger({ description: `Number of ${of}; null where unknown.`, minimum: 0 })

const periodProducts = () =>
  field.openEnumerationList(
    { TAMPONS: 'Tampons', PADS: 'Pads' },
    { description: 'Period products on offer; empty where none are known.' },
  )

const Female = Type.Object({
  cubicles: count('cubicles'),
  handDryers: count('hand dryers'),
  sinks: count('sinks'),
  periodProducts: periodProducts(),
})

const Male = Type.Object({
  cubicles: count('cubicles'),
  urinals: count('urinals'),
  handDryers: count('hand dryers'),
  sinks: count('sinks'),
  periodProducts: periodProducts(),
})

const TENURES = { FREEHOLD: 'Freehold', LEASEHOLD: 'Leasehold', PARISH: 'Of the parish' }

const FACILITIES = {
  BEACH_SHOWER: 'Beach shower',
  DISABLED: 'For disabled people',
  BABY_CHANGING: 'Baby changing',
  GENDER_NEUTRAL: 'Gender neutral',
}

/** A public toilet (spec 2.5). */
export const Toilet = Type.Object(
  {
    id: field.id(),
    createdAt: field.createdAt(),
    name: field.text({
      description: 'Name, in the publisher’s spelling.',
      examples: ['Harbour Gardens'],
    }),
    parish: field.parish(),
    latitude: field.latitude(),
    longitude: field.longitude(),
    tenure: field.nullableOpenEnumeration(TENURES, {
      count: true,
      description: 'Tenure of the site. The publisher may add values.',
      examples: ['FREEHOLD'],
    }),
    owner: field.owner(),
    buildDate: field.nullableInteger({
      measure: true,
      description: 'Year in which it was built.',
      examples: [1998],
      minimum: 1000,
      maximum: 2200,
    }),
    facilities: field.openEnumerationList(FACILITIES, {
      filter: 'equals',
      count: true,
      parameter: 'facility',
      description: 'Other facilities. The publisher may add values.',
      examples: [['BEACH_SHOWER', 'DISABLED']],
    }),
    female: field.nullableObject(Female, {
      description: "The women's side; null where there is none or nothing is known.",
    }),
    male: field.nullableObject(Male, {
      description: "The men's side; null where there is none or nothing is known.",
    }),
  },
  { $id: 'Toilet', title: 'Toilet', description: 'A public toilet.' },
)
export type Toilet = Type.Static<typeof Toilet>
