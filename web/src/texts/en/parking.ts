/** The page of all car parks with live counts. */
export const parking = {
  title: 'Free parking spaces',
  description: 'Free spaces now in each car park, how they change, and a forecast for the next hour.',
  descriptionWithoutCounts: 'We do not know the free spaces of the car parks at the moment.',
  carParks: 'Car parks',
  fromYou: 'Distances are in a straight line from you.',
  fromParish: 'Distances are in a straight line from the middle of {parish}.',
  unmeasured:
    '{count, plural, one {The position of 1 car park is not known: it comes last.} other {The position of # car parks is not known: they come last, by name.}}',
  unmatched:
    'We have no details of {names}, so {count, plural, one {its count is} other {their counts are}} not shown.',
  explanation:
    'The number for a later time is a forecast, with its range in brackets. The range is right 4 times out of 5. The chance is that of at least ten spaces. We check each live count against the past counts of the car park. We do not show a count that fails the check.',
  onMap: '<link>All car parks on the map</link>',
  onMapAndAsData:
    '<link>All car parks on the map</link>, including car parks without live counts · <data>These counts as data</data>',
  noCounts: 'We have received no counts yet.',
  payBy: 'Pay by {ways}',
  sortBy: 'Sort by',
  mostFree: 'Most free',
  bestChance: 'Best chance',
  arrival: 'When I arrive',
  arriveIn: '{minutes, select, 15 {In 15 minutes} 30 {In half an hour} 60 {In an hour} other {In 2 hours}}',
  name: 'Name',
  nearestParish: 'Nearest to a parish',
  sort: 'Sort',
  noParish: 'No parish is called “{parish}”.',
  positionFault: 'The position must be latitude,longitude in degrees.',
} as const
