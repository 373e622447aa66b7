import Type from 'typebox'
import * as field from '../../datasets/fields.ts'
import { DAY_KINDS } from '../forecast/day-kind.ts'
import { HORIZONS } from '../forecast/rules.ts'

const spaces = (description: string) => field.integer({ description, minimum: 0 })

const ForecastError = Type.Object({
  meanAbsolute: Type.Number({
    description: 'Mean absolute error of these forecasts, spaces.',
    minimum: 0,
    examples: [18.4],
  }),
  meanAbsoluteAsNow: Type.Number({
    description: 'The same for "it stays as it is now", for the very same cases.',
    minimum: 0,
    examples: [41.2],
  }),
  coverage: Type.Number({
    description: 'Share of the outcomes that lay within low to high; 0.8 is meant.',
    minimum: 0,
    maximum: 1,
    examples: [0.81],
  }),
  count: field.integer({ description: 'How many forecasts have met their outcome.', minimum: 1 }),
})

const Entry = Type.Object(
  {
    minutesAhead: Type.Unsafe<number>({
      type: 'integer',
      enum: HORIZONS,
      description: 'Minutes after `from`.',
      examples: [60],
    }),
    at: field.timestamp({ description: 'The time that is forecast.' }),
    expected: spaces('Free spaces that are expected.'),
    low: spaces('The lower end of the interval that holds the count in 80 of 100 cases.'),
    high: spaces('The upper end of that interval.'),
    error: field.nullableObject(ForecastError, {
      description:
        'How the forecasts of the last 28 days fared that looked as far ahead at the same hours of the day; null where none has met its outcome.',
    }),
  },
  { $id: 'ForecastEntry', title: 'Forecast for one time' },
)

/** What there is instead of an answer that the data does not support. */
const unavailable = (of: string) => ({
  reason: field.nullableText({
    description: `Why there is no ${of}, as a word: null where there is one.`,
    examples: [null],
  }),
  detail: field.nullableText({ description: 'The same in a sentence.', examples: [null] }),
})

const carpark = {
  code: field.text({ description: 'Live tracking code of the car park.', examples: ['GREENST'] }),
  name: field.text({ description: 'Name of the car park, as the feed has it.', examples: ['Green Street'] }),
}

/** The response of a forecast. */
export const CarparkForecast = Type.Object(
  {
    ...carpark,
    from: field.nullableTimestamp({
      description: 'The time of the count that it starts from; null where there is no forecast.',
    }),
    results: Type.Array(Entry, {
      description: 'A quarter, a half, one and two hours ahead; empty where the data supports no forecast.',
    }),
    ...unavailable('forecast'),
  },
  { $id: 'CarparkForecast', title: 'Forecast of free spaces' },
)

const Quarter = Type.Object(
  {
    time: field.text({
      description: 'When the quarter of an hour begins, by the island’s clocks.',
      examples: ['09:15'],
    }),
    p10: field.nullableInteger({
      description: 'Free spaces: on one day of ten there are fewer. Null where too few days are known.',
    }),
    p50: field.nullableInteger({ description: 'The median.' }),
    p90: field.nullableInteger({ description: 'On one day of ten there are more.' }),
    days: field.integer({ description: 'On how many days it rests.', minimum: 0 }),
  },
  { $id: 'TypicalQuarter', title: 'Typical quarter of an hour' },
)

const Day = Type.Object(
  {
    day: field.enumeration(DAY_KINDS, {
      description: 'The weekday (those that are bank holidays left out), or `bank-holiday`.',
      examples: ['monday'],
    }),
    days: field.integer({ description: 'Number of such days with readings.', minimum: 0 }),
    quarters: Type.Array(Quarter, { description: '96, from midnight on.' }),
  },
  { $id: 'TypicalDay', title: 'Typical day' },
)

/** The response of a typical week. */
export const TypicalWeek = Type.Object(
  {
    ...carpark,
    from: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date',
      description: 'The first day that it rests on; null where there is none.',
    }),
    to: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date',
      description: 'The last day that it rests on.',
    }),
    results: Type.Array(Day, {
      description: 'Sunday to Saturday, then bank holidays; empty where the data supports none.',
    }),
    ...unavailable('typical week'),
  },
  { $id: 'TypicalWeek', title: 'Typical week' },
)
