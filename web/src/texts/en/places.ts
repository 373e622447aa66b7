/** The texts that the pages with places share. */
export const places = {
  kinds: {
    toilets: {
      one: 'Public toilet',
      many: 'Toilets',
      counted: '{count, plural, one {# toilet} other {# toilets}}',
    },
    defibrillators: {
      one: 'Defibrillator',
      many: 'Defibrillators',
      counted: '{count, plural, one {# defibrillator} other {# defibrillators}}',
    },
    recycling: {
      one: 'Recycling centre',
      many: 'Recycling',
      counted: '{count, plural, one {# recycling centre} other {# recycling centres}}',
    },
    carparks: {
      one: 'Car park',
      many: 'Car parks',
      counted: '{count, plural, one {# car park} other {# car parks}}',
    },
  },
  counted: '{count, plural, one {# place} other {# places}}',
  toiletSign: 'WC',
  carParkSign: 'P',
  directions: 'Directions',
  directionsTo: 'Directions to {name}',
  searchByName: 'Search by name',
  searchByNameFor: 'Search by name for {name}',
  streets: 'Open this area on a map with streets',
  attribution:
    'Coastline {by, select, none {© <link>OpenStreetMap contributors</link>, ODbL} other {{by}}}{baseMap, select, none {} other {. Map: {baseMap}}}',
  nearest: 'Nearest',
  nearestToMe: 'Nearest to me',
  locating: 'Getting your location…',
  notLocated: 'We could not get your location. Choose a parish.',
  roughlyLocated: 'Your location is only known to within {distance}, so another place may be nearer.',
  cluster: '{count, plural, one {# place} other {# places}}: zoom in',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  map: 'Map of the places. The list has the same places.',
  drawing: 'Map of the places in the list',
  spaces: '{count, plural, one {# space} other {# spaces}}',
  closed: 'closed',
  free: '{count, plural, one {# space} other {# spaces}} free at {time}',
  locationUnknown: 'exact location not known',
  unmeasured:
    '{count, plural, one {The exact location of # place is not known. It comes last.} other {The exact location of # places is not known. They come last, by parish.}}',
  whatToShow: 'What to show',
  parish: 'Parish',
  wholeIsland: 'The whole island',
} as const
