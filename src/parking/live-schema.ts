import Type from 'typebox'
import { CarparkAlone } from '../datasets/carparks/schema.ts'
import * as field from '../datasets/fields.ts'
import { ForecastEntry } from './forecast/forecast.ts'
import { AgedQuality, LiveQuality } from './quality/quality.ts'
import { TRENDS } from './trend.ts'

const code = field.text({ description: 'Live tracking code.', examples: ['GREENST'] })

/** The live fields of one car park (spec 2.3). */
const countedFields = {
  name: field.text({
    description: 'Name of the car park, as the feed has it.',
    examples: ['Green Street'],
  }),
  code: field.text({
    description: 'Code in the live feed; the live tracking code of a car park if one has it.',
    examples: ['GREENST'],
  }),
  spaces: field.integer({ description: 'Free spaces.', minimum: 0, examples: [332] }),
  status: field.text({ description: "The feed's own value; usually `good`.", examples: ['good'] }),
  open: field.flag({ description: 'Whether the car park is open.' }),
}

const trend = field.nullableEnumeration(TRENDS, {
  description:
    'How the free spaces have changed over the last half hour; null where one of the two counts cannot be trusted or is not known.',
  examples: ['filling'],
})

const LiveSpace = Type.Object(
  {
    ...countedFields,
    ...Type.Partial(Type.Object({ ...AgedQuality.properties, trend })).properties,
    forecast: Type.Optional(
      Type.Array(ForecastEntry, {
        description:
          'Only with include=forecast: a quarter, a half, one and two hours ahead; empty if there is no forecast, or none yet after a start.',
      }),
    ),
    carparkInfo: Type.Optional(
      field.nullableObject(CarparkAlone, {
        description: 'Only with includeCarparkInfo=true: the car park; null if none has this code.',
      }),
    ),
  },
  {
    $id: 'LiveSpace',
    title: 'Live space entry',
    description: 'The fields from `quality` to `trend` are there only with include=quality.',
  },
)

const MissingCarpark = Type.Object(
  {
    code,
    name: field.nullableText({
      description: 'Name of the car park, as the feed had it; null where it never did.',
    }),
    ...AgedQuality.properties,
  },
  { $id: 'MissingCarpark', title: 'Car park without a count in the feed' },
)

const feedTimestamp = field.timestamp({
  description: 'When the counts were taken, according to the feed.',
  examples: ['2023-08-29T02:32:48.000Z'],
})

const EACH_CARPARK = "An entry for each car park of the feed, in the feed's order."

/** The response of the live free spaces (spec 4.5). */
export const LiveSpaces = Type.Object({
  results: Type.Array(LiveSpace, { description: EACH_CARPARK }),
  missing: Type.Optional(
    Type.Array(MissingCarpark, {
      description:
        'Only with include=quality: car parks with a live tracking code that the feed does not list now or lists without a usable count, and those that it listed within the last week.',
    }),
  ),
  timestamp: feedTimestamp,
})

/** The response for one car park: its last count and its quality. */
export const LiveCarpark = Type.Object(
  {
    code,
    name: countedFields.name,
    spaces: field.nullableInteger({
      description: 'Free spaces; null where the feed has no usable count of the car park now.',
      minimum: 0,
      examples: [332],
    }),
    status: field.nullableText({ description: "The feed's own value.", examples: ['good'] }),
    open: field.nullableFlag({ description: 'Whether the car park is open.' }),
    ...AgedQuality.properties,
    trend,
  },
  { $id: 'LiveCarpark', title: 'Live count of one car park' },
)

const StreamEntry = Type.Object(
  { ...countedFields, ...LiveQuality.properties, trend },
  { $id: 'LiveStreamEntry', title: 'Live space entry with its quality' },
)
export type StreamEntry = Type.Static<typeof StreamEntry>

const eventData = ($id: string, title: string, description: string) =>
  Type.Object({ results: Type.Array(StreamEntry, { description }), timestamp: feedTimestamp }, { $id, title })

/** The data of the event `snapshot`. */
export const LiveSnapshot = eventData('LiveSnapshot', 'All live spaces', EACH_CARPARK)
/** The present state of all car parks of the feed, in the feed's order. */
export type LiveNow = Type.Static<typeof LiveSnapshot>

/** The data of the event `change`. */
export const LiveChange = eventData(
  'LiveChange',
  'Changed live spaces',
  'The entries that changed, each whole; put them in place of those with the same code.',
)
