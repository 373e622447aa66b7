import Type from 'typebox'
import * as field from '../fields.ts'

/** Services of a centre (spec 2.6). METAL_PACKAGING is not in the contract's table, but its responses contain it. */
export const SERVICES = [
  'MIXED_TEXTILES',
  'BATTERIES',
  'CARDBOARD',
  'METAL_PACKING',
  'METAL_PACKAGING',
  'METAL_PACKAGING_DRINK_CANS',
  'PAPER',
  'PLASTIC_BOTTLES',
  'GLASS',
] as const

/** A recycling centre (spec 2.6). */
export const RecyclingCentre = Type.Object(
  {
    id: field.id(),
    createdAt: field.createdAt(),
    location: field.text({
      description: 'Short description of where it is.',
      examples: ['Grouville Parish Hall'],
    }),
    parish: field.parish(),
    latitude: field.latitude(),
    longitude: field.longitude(),
    notes: field.nullableText({ description: 'Notes, or null.', examples: ['Next to the parish hall'] }),
    services: field.enumerationList(SERVICES, {
      count: true,
      description: 'What it takes. METAL_PACKING and METAL_PACKAGING mean the same: accept both.',
      examples: [['GLASS', 'PAPER']],
    }),
  },
  {
    $id: 'RecyclingCentre',
    title: 'Recycling centre',
    description: 'A place that takes material for recycling.',
  },
)
export type RecyclingCentre = Type.Static<typeof RecyclingCentre>
