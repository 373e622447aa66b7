import Type from 'typebox'
import * as field from '../fields.ts'

/** Services of a centre (spec 2.6). METAL_PACKAGING is not in the contract's table, but in its responses. */
const SERVICES = {
  MIXED_TEXTILES: 'Mixed textiles',
  BATTERIES: 'Batteries',
  CARDBOARD: 'Cardboard',
  METAL_PACKING: 'Metal packaging',
  METAL_PACKAGING: 'Metal packaging: the same as METAL_PACKING',
  METAL_PACKAGING_DRINK_CANS: 'Metal packaging, drinks cans only',
  PAPER: 'Paper',
  PLASTIC_BOTTLES: 'Plastic bottles',
  GLASS: 'Clean glass',
}

/** A recycling centre (spec 2.6). */
export const RecyclingCentre = Type.Object(
  {
    id: field.id(),
    createdAt: field.createdAt(),
    location: field.text({
      description: 'Short description of where it is.',
      examples: ['Parish Hall'],
    }),
    parish: field.parish(),
    latitude: field.latitude(),
    longitude: field.longitude(),
    notes: field.nullableText({ description: 'Notes, or null.', examples: ['Next to the parish hall'] }),
    services: field.enumerationList(SERVICES, {
      filter: 'equals',
      parameter: 'service',
      synonyms: [['METAL_PACKING', 'METAL_PACKAGING']],
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
