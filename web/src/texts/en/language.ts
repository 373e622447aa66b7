/** The language of the catalogue, and who has checked its texts. */
export const language = {
  code: 'en',
  /** For numbers, dates and plurals (BCP 47). */
  locale: 'en-GB',
  name: 'English',
  choose: 'Language',
  offer: 'This page in English',
  /** Native speakers who have read all texts; empty without one. */
  checkedBy: 'the authors',
  unchecked: 'No native speaker has checked this translation. <link>Read the page in English</link>',
} as const

/** Names that the API and the service give in English. */
export const meanings = {} as const
