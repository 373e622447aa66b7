import { distance } from 'fastest-levenshtein'

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

/** The candidate nearest to the text by edit distance; undefined if more than half of its letters differ. */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  const wanted = text.slice(0, 100).toLowerCase()
  let best: string | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const away = distance(wanted, candidate.toLowerCase())
    if (away < bestDistance) {
      best = candidate
      bestDistance = away
    }
  }
  return best !== undefined && bestDistance <= Math.floor(best.length / 2) ? best : undefined
}

/** The first characters of a text, as a string of its own: a slice would keep the whole text in memory. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  return Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le')
}
