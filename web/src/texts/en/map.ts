/** The map of all places. */
export const map = {
  title: 'Map of places',
  titleOf: 'Map: {kind}',
  description: 'Toilets, defibrillators, recycling centres and car parks on one map, nearest first.',
  unavailable: 'Not available now: {kinds}.',
  outOfDate: 'We could not update the free spaces, so they are not shown. <link>Try again</link>',
  skip: 'Skip the map',
  list: 'List of places',
  selected: 'Selected on the map',
  noPlaceOfBoth:
    'No place matches. Only toilets have facilities, and only recycling centres take materials. Choose from one of the two.',
  noPlace: 'No place matches all of these filters. Remove a filter.',
  nearestFirst:
    '{count, plural, one {# place} other {# places}}, nearest first. Distances are in a straight line.',
  inListOnly:
    '{count, plural, one {# place} other {# places}}. {unlocated, plural, one {# place is} other {# places are}} only in the list, because the exact location is not known.',
  notFound: 'No place has this address.',
  notKnown: '“{value}” is not known. Did you mean {nearest}?',
  notInList: '“{value}” is not in the list.',
  fault: '“{value}” {fault}.',
  locationUnknown: 'Exact location not known',
  showPlace: 'Show {name} on the map',
  onMap: 'Map',
  show: 'Show',
  applied: 'Filters in use',
  remove: 'Remove filter: {filter}',
  nearest: 'Nearest first',
  moreFilters: 'Filter by facility or material',
  facilities: 'Toilets with',
  services: 'Recycling of',
  saved:
    'Toilets and defibrillators of {date} are saved on this device for offline use. <link>See the saved places</link>',
} as const
