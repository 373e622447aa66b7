import Type from 'typebox'
import * as field from '../../datasets/fields.ts'
import { QUALITIES } from '../../parking/quality/quality.ts'
import { DISTANCE } from '../../query/list/place.ts'

/** A place of any dataset. */
export const FoundPlace = Type.Object(
  {
    dataset: Type.String({ description: 'The dataset that it is from.', examples: ['toilets'] }),
    id: field.id(),
    name: field.text({ description: 'What it is called, or where it is.' }),
    parish: field.nullableText({ description: 'The parish; null where the dataset has none.' }),
    latitude: field.latitude(),
    longitude: field.longitude(),
    path: Type.String({ description: 'Where its whole record is.', examples: ['/v1/toilets/{id}'] }),
    [DISTANCE]: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Only with `near`: the distance from there in metres.' }),
    ),
    freeSpaces: Type.Optional(
      field.nullableInteger({
        description:
          'Only with live counts: the free spaces of a car park now; null where they are not counted.',
        minimum: 0,
      }),
    ),
    open: Type.Optional(
      Type.Unsafe<boolean | null>({
        type: ['boolean', 'null'],
        description: 'Only with live counts: whether the car park is open; null where the feed does not say.',
      }),
    ),
    quality: Type.Optional(
      field.nullableEnumeration(QUALITIES, {
        description: 'Only with live counts: how far the count can be trusted; null without one.',
      }),
    ),
    observedAt: Type.Optional(
      field.nullableTimestamp({ description: 'Only with live counts: when the feed counted.' }),
    ),
  },
  { $id: 'Place', title: 'Place', description: 'A car park, toilet, recycling centre or defibrillator.' },
)
export type FoundPlace = Type.Static<typeof FoundPlace>

export const Places = Type.Object({
  results: Type.Array(FoundPlace, {
    description: 'Nearest first with `near`, else dataset by dataset in the order of their lists.',
  }),
  unavailable: Type.Array(Type.String(), {
    description: 'Datasets that are not available now, whose places are missing from the results.',
  }),
})
