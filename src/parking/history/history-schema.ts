import Type, { type TSchema } from 'typebox'
import * as field from '../../datasets/fields.ts'
import { QUALITIES } from '../quality/quality.ts'

const code = field.text({ description: 'Live tracking code of the car park.', examples: ['GREENST'] })
const count = (of: string) =>
  field.nullableInteger({ description: `${of}; null without readings.`, minimum: 0 })

/** The readings of one car park in one interval, summarised. */
export const HistoryBucket = Type.Object(
  {
    code,
    from: field.timestamp({
      description: 'When the interval begins; it ends where the next begins.',
      examples: ['2025-03-30T09:00:00.000Z'],
    }),
    min: count('The lowest number of free spaces'),
    max: count('The highest number of free spaces'),
    mean: field.nullableNumber({
      description: 'The mean of its readings, to two decimals; null without readings.',
      minimum: 0,
    }),
    last: count('Free spaces at its last reading'),
    count: field.integer({
      description: 'Number of readings; 0 if there are none. Gaps are not filled in.',
      minimum: 0,
    }),
    goodCount: field.nullableInteger({
      description:
        'Number of readings that can be trusted, as far as is known now; null for readings older than twelve weeks, which are not checked.',
      minimum: 0,
    }),
    goodMean: field.nullableNumber({
      description: 'The mean of these, to two decimals; null without any.',
      minimum: 0,
    }),
  },
  { $id: 'HistoryBucket', title: 'Interval of history' },
)

/** The readings of one car park in one interval; without any, `count` is 0 and the rest null. */
export type Bucket = Type.Static<typeof HistoryBucket>

/** One reading of the past. */
export const HistoryReading = Type.Object(
  {
    code,
    at: field.timestamp({ description: "The feed's own time.", examples: ['2025-03-30T09:04:58.000Z'] }),
    spaces: field.integer({ description: 'Free spaces.', minimum: 0 }),
    open: field.nullableFlag({ description: 'Whether the car park was open; null if not known.' }),
    status: field.nullableText({ description: "The feed's own value; null if not known." }),
    quality: field.nullableEnumeration(QUALITIES, {
      description:
        '`good`, or what is wrong with the count as far as is known now: a stuck counter is found late. Null if older than twelve weeks: not checked.',
      examples: ['good'],
    }),
  },
  { $id: 'HistoryReading', title: 'Reading of the past' },
)

/** The rows of one car park, whose code is given once for all of them. */
const OneBucket = Type.Omit(HistoryBucket, ['code'], { $id: 'CarparkBucket', title: 'Interval of a history' })
const OneReading = Type.Omit(HistoryReading, ['code'], {
  $id: 'CarparkReading',
  title: 'Reading of a history',
})

const resultsOf = (rows: TSchema) =>
  Type.Array(rows, {
    description:
      'Ordered by code and time. With `interval=raw` readings, otherwise all intervals, including those without a reading.',
  })
const listOf = (rows: TSchema) => Type.Object({ results: resultsOf(rows) })
const carparkOf = (rows: TSchema) =>
  Type.Object({
    code,
    name: field.text({ description: 'Name of the car park.', examples: ['Green Street'] }),
    results: resultsOf(rows),
  })

/** The responses about all car parks: intervals, readings, and their union for the documentation. */
export const allHistory = {
  buckets: listOf(HistoryBucket),
  readings: listOf(HistoryReading),
  either: listOf(Type.Union([HistoryBucket, HistoryReading])),
}

/** The same about one car park. */
export const carparkHistory = {
  buckets: carparkOf(OneBucket),
  readings: carparkOf(OneReading),
  either: carparkOf(Type.Union([OneBucket, OneReading])),
}
