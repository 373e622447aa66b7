/** The list of product recalls. */
export const recalls = {
  title: 'Product recalls',
  titleAbout: '{title}: {about}',
  titlePage: '{title}, page {page}',
  description:
    'Safety warnings and recalls of products sold on the island. See what is wrong and what to do.',
  lead: 'Is something in your home recalled? Search by product, brand or hazard.',
  counted: '{count, plural, one {# recall} other {# recalls}}',
  noMatch:
    'No match among {count, plural, one {# recall} other {# recalls}}{since, select, none {} other { since {since}}}',
  notListed:
    'A product that is not listed here can still be unsafe. If you are not sure, ask the shop. <link>Show all recalls</link>',
  searchForm: 'Search recalls',
  product: 'Product or hazard',
  brand: 'Brand',
  since: 'Since',
  search: 'Search',
} as const

/** The page of one recall. */
export const recall = {
  notFound: 'Recall not found',
  notFoundDetail: 'No recall has this address. The recall may have been withdrawn. <link>All recalls</link>',
  all: 'All recalls',
  facts: {
    brand: 'Brand',
    date: 'Recalled on',
    packSize: 'Pack size',
    batchCodes: 'Batch codes',
  },
  details: 'Details and what to do',
  advice: 'Stop using the product. Ask the shop where you bought it.',
  notice: 'The original notice',
  more: 'More recalls of {brand}',
  asData: 'This recall as data',
} as const
