import Type from 'typebox'
import * as field from '../fields.ts'

/** A public defibrillator (spec 2.7). */
export const Defibrillator = Type.Object(
  {
    id: field.id(),
    createdAt: field.createdAt(),
    location: field.text({
      description: 'Short description of where it is.',
      examples: ['Western Fire Station'],
    }),
    parish: field.parish(),
    padNumber: field.nullableInteger({
      description: 'The number of the defibrillator; null where unknown.',
      examples: [31],
    }),
    latitude: field.latitude(),
    longitude: field.longitude(),
    notes: field.nullableText({
      description: 'Notes; null where there are none.',
      examples: ['Ladies side'],
    }),
  },
  { $id: 'Defibrillator', title: 'Defibrillator', description: 'A defibrillator that the public may use.' },
)
export type Defibrillator = Type.Static<typeof Defibrillator>
