/** The search of the whole service. */
export const search = {
  title: 'Search',
  titleOf: 'Search: {question}',
  description:
    'Search places, car parks, product recalls, makes of vehicles, datasets and the documentation in one go.',
  hint: 'Type the name of a place, a parish, a product, a make of vehicle, or a topic of the documentation.',
  cut: 'Your question is very long. We searched for its first {length} characters.',
  unavailable: 'Not available now: {kinds}.',
  found: '{count, plural, one {One result} other {# results}} for “{question}”',
  nothing: 'Nothing found for “{question}”. Try fewer or other words.',
  kinds: 'Kinds of results',
  kind: '{kind} ({count})',
  all: 'All {count}: {kind}',
  allKinds: 'Results of all kinds',
  elsewhere:
    'Not there? Look for a <vehicles>model of vehicle in the register</vehicles>, or see <map>all places on the map</map>.',
  recalls: 'Product recalls',
  makes: 'Makes of vehicles',
  datasets: 'Datasets',
  docs: 'Documentation',
} as const
