/** The page of one car park. */
export const carpark = {
  notFound: 'Car park not found',
  liveDescription: 'Free spaces at {name} now, today and in the next two hours. Ways to pay and directions.',
  allCarParks: 'All car parks with live counts',
  noCounter: 'This car park has no live counter, so we do not know its free spaces.',
  freeSpaces: 'Free spaces',
  nextHours: 'The next two hours',
  noForecast: 'No forecast: {reason}',
  shortPast: 'there are too few past counts.',
  forecastRange: 'The range is right 4 times out of 5. “At least ten” is the chance of ten spaces or more.',
  forecastError:
    'In the last four weeks, forecasts for an hour ahead were {error, plural, =0 {less than one space} one {1 space} other {# spaces}} off on average.',
  range: '{low} to {high}',
  chance:
    'at least ten: {tenths, select, 0 {less than 1 in 10} 10 {more than 9 in 10} other {{tenths} in 10}}',
  dayTitle: 'This {weekday} and a typical one',
  tooFewDays: 'There are too few past days to compare with.',
  typicalNow:
    'At {time} on a typical {weekday} about <strong>{spaces}</strong> spaces are free ({low} to {high}).',
  thisDay: 'This {weekday}',
  typicalDay: 'Typical {weekday}',
  typicalDayWithRange: 'Typical {weekday} (usual range, 8 days in 10)',
  forecast: 'Forecast',
  chartHint: 'Point at the chart or tap it to see the numbers.',
  chart:
    'Free spaces through this {weekday} and through a typical {weekday}. The table below has the same numbers.',
  readout: '{time}: {parts}',
  noCount: 'no count',
  free: '{spaces} free',
  typical: 'typical {weekday} {spaces} ({low} to {high})',
  asTable: 'These numbers as a table',
  from: 'From',
  usualRange: 'Usual range, 8 days in 10',
  facts: { spaces: 'Spaces', stay: 'Stay', payBy: 'Pay by', building: 'Building' },
  spaces: '{count} in total',
  spacesWithSpecial: '{count} in total, including {special}',
  features: {
    spaces: 'Parking spaces',
    disabled: 'Spaces for disabled people',
    parentChild: 'Spaces for parents with children',
    charging: 'Spaces with electric charging',
  },
} as const
