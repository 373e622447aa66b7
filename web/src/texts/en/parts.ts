/** The texts that several pages share. */
export const parts = {
  copy: 'Copy<hidden> {what}</hidden>',
  tryAgainAt: 'You can try again {time}.',
  tryAgain: '<retry>Try again</retry> · <about>About this problem</about>',
  updates: 'Get updates: <atom>Atom feed</atom> · <json>JSON Feed</json>',
  didYouMean: '{fault} Did you mean {nearest}?',
  reportMistake: 'Report a mistake',
  mistakeIn: 'Mistake: {name}',
  mistakeText: 'Page: {address}\n\nWhat is wrong:\n',
  data: 'Data',
  noPublisher: 'publisher not stated',
  noLicence: 'licence not stated',
  updated: 'Last updated on <time>{date}</time>.',
  pages: 'Pages',
  first: 'First',
  previous: 'Previous',
  next: 'Next',
  last: 'Last',
  page: 'Page {page} of {last}',
  noPage: 'There is no page {page}. <link>Go to the first page</link>',
  countedPages: '{count, plural, one {# page} other {# pages}}',
  refused: 'We cannot run this search',
  refusedFields: 'Change the fields marked below, and search again.',
  refusedValue: '<code>{parameter}</code> “{value}”: {fault}',
  searchWithout: '{count, plural, one {Search without this value} other {Search without these values}}',
} as const

/** The texts of a button to copy. */
export const copying = {
  done: ' Copied',
  failed: ' Not copied. Please select the text and copy it.',
} as const
