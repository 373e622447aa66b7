/** Folds text for comparing: without case, accents and apostrophes, and with one blank for all other signs between words. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{Diacritic}'’]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
