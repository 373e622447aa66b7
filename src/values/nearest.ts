import { distance } from 'fastest-levenshtein'

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
