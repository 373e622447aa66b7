import Type from 'typebox'
import * as field from '../../datasets/fields.ts'
import { DAY_KINDS } from './day-frame.ts'
import { HORIZONS } from './parameters.ts'

const spaces = (description: string) => field.integer({ description, minimum: 0 })

const ForecastError = Type.Object({
  meanAbsoluteError: Type.Number({
    description: 'Mean absolute error of these forecasts, spaces.',
    minimum: 0,
    examples: [18.4],
  }),
  persistenceMeanAbsoluteError: Type.Number({
    description: 'Mean absolute error of the persistence forecast (no change) in the same cases, spaces.',
    minimum: 0,
    examples: [41.2],
  }),
  coverage: Type.Number({
    description: 'Share of the outcomes from `low` to `high`; the target is 0.8.',
    minimum: 0,
    maximum: 1,
    examples: [0.81],
  }),
  count: field.integer({
    description: 'Number of forecasts that were compared with their outcome.',
    minimum: 1,
  }),
})
/** The error over the last 28 days, for a car park, a horizon, and the same three hours of the day. */
export type ForecastError = Type.Static<typeof ForecastError>

export const ForecastEntry = Type.Object(
  {
    minutesAhead: Type.Unsafe<(typeof HORIZONS)[number]>({
      type: 'integer',
      enum: HORIZONS,
      description: 'Minutes after `from`.',
      examples: [60],
    }),
    at: field.timestamp({ description: 'The time that is forecast.' }),
    expected: spaces('Expected free spaces.'),
    low: spaces('The lower end of the range that four forecasts in five stay within.'),
    high: spaces('The upper end of that range.'),
    chanceOfTen: Type.Number({
      description: 'The chance of at least ten free spaces at that time, from 0 to 1 in hundredths.',
      minimum: 0,
      maximum: 1,
      examples: [0.93],
    }),
    error: field.nullableObject(ForecastError, {
      description:
        'The verification of the forecasts of the last 28 days for the same time ahead and the same hours of the day; null where none has an outcome yet.',
    }),
  },
  { $id: 'ForecastEntry', title: 'Forecast for one time' },
)
export type ForecastEntry = Type.Static<typeof ForecastEntry>

/** The reason in place of a result that the data does not support. */
const unavailable = (of: string) => ({
  reason: field.nullableText({
    description: `Why there is no ${of}, as a code; null if there is one.`,
    examples: [null],
  }),
  detail: field.nullableText({ description: 'The reason as a sentence.', examples: [null] }),
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
    results: Type.Array(ForecastEntry, {
      description: 'A quarter, a half, one and two hours ahead; empty where the data supports no forecast.',
    }),
    ...unavailable('forecast'),
  },
  { $id: 'CarparkForecast', title: 'Forecast of free spaces' },
)
/** The forecast for a car park, or the reason why it has no forecast. */
export type Forecast = Omit<Type.Static<typeof CarparkForecast>, keyof typeof carpark>

/** In place of a forecast: a code for machines and a sentence. */
export const noForecast = (reason: string, detail: string): Forecast => ({
  from: null,
  results: [],
  reason,
  detail,
})

const TypicalQuarter = Type.Object(
  {
    time: field.text({
      description: 'When the quarter of an hour begins, in local time.',
      examples: ['09:15'],
    }),
    p10: field.nullableInteger({
      description: 'Free spaces: on one day in ten there are fewer. Null where too few days are known.',
    }),
    p50: field.nullableInteger({ description: 'The median.' }),
    p90: field.nullableInteger({ description: 'On one day in ten there are more.' }),
    days: field.integer({ description: 'Number of days that it is computed from.', minimum: 0 }),
  },
  { $id: 'TypicalQuarter', title: 'Typical quarter of an hour' },
)
/** Each day counts once, by its mean. */
export type TypicalQuarter = Type.Static<typeof TypicalQuarter>

const TypicalDay = Type.Object(
  {
    day: field.enumeration(DAY_KINDS, {
      description: 'The weekday (those that are bank holidays left out), or `bank-holiday`.',
      examples: ['monday'],
    }),
    days: field.integer({ description: 'Number of such days with readings.', minimum: 0 }),
    quarters: Type.Array(TypicalQuarter, { description: '96, from midnight on.' }),
  },
  { $id: 'TypicalDay', title: 'Typical day' },
)
export type TypicalDay = Type.Static<typeof TypicalDay>

const date = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date', description })

/** The response of a typical week. */
export const CarparkTypicalWeek = Type.Object(
  {
    ...carpark,
    from: date('The first day that it is computed from; null where there is none.'),
    to: date('The last day that it is computed from.'),
    results: Type.Array(TypicalDay, {
      description: 'Sunday to Saturday, then bank holidays; empty where the data supports none.',
    }),
    ...unavailable('typical week'),
  },
  { $id: 'TypicalWeek', title: 'Typical week' },
)
/** How full a car park usually is, by kind of day and quarter of an hour of the local clock, or why that is not known. */
export type TypicalWeek = Omit<Type.Static<typeof CarparkTypicalWeek>, keyof typeof carpark>
