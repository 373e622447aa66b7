import Type from 'typebox'
import { CarparkAlone } from '../../datasets/carparks/schema.ts'
import * as field from '../../datasets/fields.ts'
import { AgedQuality } from '../quality/quality-schema.ts'

/** The live fields of one car park (spec 2.3). */
export const countedFields = {
  name: field.text({
    description: 'Name of the car park, as the feed has it.',
    examples: ['Green Street'],
  }),
  code: field.text({
    description: 'Live tracking code; that of a car park where one has it.',
    examples: ['GREENST'],
  }),
  spaces: field.integer({ description: 'Free spaces.', minimum: 0, examples: [332] }),
  status: field.text({ description: "The feed's own word; `good` is usual.", examples: ['good'] }),
  open: field.flag({ description: 'Whether the car park is open.' }),
}

const LiveSpace = Type.Object(
  {
    ...countedFields,
    ...Type.Partial(AgedQuality).properties,
    carparkInfo: Type.Optional(
      field.nullableObject(CarparkAlone, {
        description: 'Only with includeCarparkInfo=true: the car park; null where none has this code.',
      }),
    ),
  },
  {
    $id: 'LiveSpace',
    title: 'Live space entry',
    description: 'The fields from `quality` to `ageSeconds` are there only with include=quality.',
  },
)

const MissingCarpark = Type.Object(
  {
    code: field.text({ description: 'Live tracking code.', examples: ['GREENST'] }),
    name: field.nullableText({
      description: 'Name of the car park, as the feed had it; null where it never did.',
    }),
    ...AgedQuality.properties,
  },
  { $id: 'MissingCarpark', title: 'Car park that the feed does not list' },
)

export const feedTimestamp = field.timestamp({
  description: 'When the feed says its counts were taken.',
  examples: ['2023-08-29T02:32:48.000Z'],
})

/** The response of the live free spaces (spec 4.5). */
export const LiveSpaces = Type.Object({
  results: Type.Array(LiveSpace, {
    description: "An entry for each car park of the feed, in the feed's order.",
  }),
  missing: Type.Optional(
    Type.Array(MissingCarpark, {
      description:
        'Only with include=quality: car parks with a live tracking code that the feed does not list now, and those that it listed within the last week.',
    }),
  ),
  timestamp: feedTimestamp,
})
