/**
 * Folds text for searching: without accents, without case. Texts that differ only in those fold to the same, and
 * folding twice changes nothing. What no engine can hold (a NUL, half a surrogate pair) becomes U+FFFD.
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
