import { distance } from 'fastest-levenshtein'

/** A hyphen, and the two of Unicode that are no dash. */
const HYPHENS = /[-\u2010\u2011]/g

/** Dots after a letter, as of initials, but not those of numbers. A part of a value may begin or end with such a dot. */
const DOTS_AFTER_LETTERS = /(?<=^|\p{L})\.+(?![\p{N}.])/gu

/**
 * Folds text for searching: texts that differ only in case, accents, dots after letters, and hyphens for blanks fold to
 * the same text. Folding is idempotent, and a part of a text folds to a part of the folded text. Characters that an
 * engine cannot store (NUL, a lone surrogate) become U+FFFD.
 */
export function fold(text: string): string {
  return foldLetters(text).replace(HYPHENS, ' ').replace(DOTS_AFTER_LETTERS, '')
}

function foldLetters(text: string): string {
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

/** Longer texts are misspelt names no more. */
const LONGEST_WANTED = 100

/** The candidate with the fewest slips, at most one in three letters; undefined if there is none. */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  const wanted = text.slice(0, LONGEST_WANTED).toLowerCase()
  let best: string | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const found = slips(wanted, candidate.toLowerCase())
    if (found < fewest && found * 3 <= Math.max(candidate.length, wanted.length)) {
      best = candidate
      fewest = found
    }
  }
  return best
}

/** The letters to add, remove or replace; two in each other's place are one slip. */
function slips(one: string, other: string): number {
  const away = distance(one, other)
  return away === 2 && sortedLetters(one) === sortedLetters(other) ? 1 : away
}

const sortedLetters = (text: string) => [...text].sort().join('')

/**
 * The candidate that abbreviates the text, the longest if several do: its letters stand in the text in their order, from
 * the first one on, and are at least a third of it. Else the nearest one.
 */
export function nearestAbbreviation(text: string, candidates: readonly string[]): string | undefined {
  const wanted = text
    .slice(0, LONGEST_WANTED)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
  const [longest] = candidates
    .filter(
      candidate => candidate.length * 3 >= wanted.length && abbreviates(candidate.toLowerCase(), wanted),
    )
    .sort((one, other) => other.length - one.length)
  return longest ?? nearest(text, candidates)
}

function abbreviates(short: string, long: string): boolean {
  let at = -1
  for (const [index, letter] of [...short].entries()) {
    at = long.indexOf(letter, at + 1)
    if (at < 0 || (index === 0 && at > 0)) return false
  }
  return short.length > 2
}

/** The first characters of a text, as a string of its own: a slice would keep the whole text in memory. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  return Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le')
}
