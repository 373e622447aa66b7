/**
 * Folds text for searching: texts that differ only in case and accents fold to the same text, and folding is idempotent.
 * Characters that an engine cannot store (NUL, a lone surrogate) become U+FFFD.
 */
export function fold(text: string): string {
  // Nearly all texts are ASCII, which has neither accents nor combining marks.
  if (/^[ -~]*$/.test(text)) return text.toLowerCase()
  return (
    text
      .normalize('NFD')
      .toLowerCase()
      // A capital dotted I gains a mark by lower-casing, so marks go last; a final sigma is a sigma.
      .replace(/\p{M}+/gu, '')
      .replaceAll('ς', 'σ')
      .replace(/[\0\p{Cs}]/gu, '\ufffd')
  )
}
