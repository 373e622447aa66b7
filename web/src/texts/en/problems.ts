/** The reference of problems. */
export const problems = {
  title: 'Problems',
  description: 'Every error of this service, what it means and what to do.',
  lead: 'Every error response has the address and the code of one of these kinds. <link>The reference</link> has all kinds in one table.',
  notFound: 'Problem not found',
  notFoundDetail: 'No kind of problem has this address. <link>All problems</link>',
  notFoundDescription: 'No kind of problem has this address.',
  code: '<code>{name}</code>, HTTP status {status}',
  whatToDo: 'What to do',
  example: 'An example',
  members: 'The members of every error response',
} as const

/** The page that a browser gets for a failed request. */
export const failure = {
  pageNotFound: 'Page not found',
  tryThese: 'Try one of these:',
  allowed: 'Allowed: {allowed}.',
  didYouMean: 'Did you mean {nearest}?',
  links: '<start>Start page</start> · <map>Map</map> · <docs>Docs</docs> · <about>About this problem</about>',
} as const
