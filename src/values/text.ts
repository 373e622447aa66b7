import { distance } from 'fastest-levenshtein'

/** Blanks of every kind, and hyphens: the usual one and the two of Unicode that are no dash. */
const BLANKS = /[\s\u2010\u2011-]+/g

/**
 * Dots after a letter, as of initials, but not those of numbers; and blanks at both ends. A part of a value may begin with
 * such a dot, so dots at the start go too.
 */
const DOTS_AND_ENDS = /^(?: |\.+(?![\p{N}.]))+|(?<=\p{L})\.+(?![\p{N}.])| $/gu

/** No-break blanks: of the usual width, of a digit, and narrow. */
const NO_BREAK = /[\u00a0\u2007\u202f]/g

/** Characters without a form of their own, such as zero-width blanks, soft hyphens and marks of direction. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/** The invisible characters, and emoji, which are held together by some of them. */
const EMOJI_OR_INVISIBLE =
  /(\p{Extended_Pictographic}(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\u200d)*)|\p{Default_Ignorable_Code_Point}/gu

/**
 * Folds text for searching: texts that differ only in case, accents, dots after letters, hyphens for blanks, runs and kinds
 * of blanks, blanks at the ends and invisible characters fold to the same text. Folding is idempotent, and a part of a
 * text folds to a part of the folded text. Characters that an engine cannot store (NUL, a lone surrogate) become U+FFFD.
 */
export function fold(text: string): string {
  return foldLetters(text).replace(BLANKS, ' ').replace(DOTS_AND_ENDS, '')
}

/** The text as it is published: blanks in place of no-break blanks, and no invisible characters. */
export function visibleText(text: string): string {
  if (!/[^ -~]/.test(text)) return text
  return text.replace(EMOJI_OR_INVISIBLE, '$1').replace(NO_BREAK, ' ')
}

function foldLetters(text: string): string {
  // Nearly all texts are ASCII, which has neither accents nor combining marks.
  if (/^[ -~]*$/.test(text)) return text.toLowerCase()
  return (
    text
      .replace(INVISIBLE, '')
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
    const most = Math.max(candidate.length, wanted.length) / 3
    // So many letters at least are added or removed.
    const difference = Math.abs(candidate.length - wanted.length)
    if (difference >= fewest || difference > most) continue
    const found = slips(wanted, candidate.toLowerCase())
    if (found < fewest && found <= most) {
      best = candidate
      fewest = found
    }
  }
  return best
}

/** Words a hint with the nearest candidate by `say`, or returns "" if no candidate is near. */
export function suggestion(
  text: string,
  candidates: Iterable<string>,
  say: (meant: string) => string,
): string {
  const meant = nearest(text, candidates)
  return meant === undefined ? '' : say(meant)
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

/** A copy of a text that is a part of another one: a slice would keep the whole of that in memory. */
export const ownText = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')

/** The first characters of a text, as a string of its own. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : ownText(text.slice(0, length))

/** The first of some items, and the number of all. */
export interface Listed<T> {
  readonly count: number
  readonly first: readonly T[]
}

const LISTED = 20

/** The first of some items, with their number. */
export function listed<T>(items: Iterable<T>): Listed<T> {
  const all = [...items]
  return { count: all.length, first: all.slice(0, LISTED) }
}

/** Formats the first items in words: "a, b and 3 more". */
export function inWords<T>({ count, first }: Listed<T>, word: (item: T) => string, most = LISTED): string {
  const shown = first.slice(0, most)
  const more = count - shown.length
  return shown.map(word).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
