import { distance } from 'fastest-levenshtein'

/** Blanks of every kind, and hyphens: the usual hyphen and the two Unicode hyphens that are not dashes. */
const BLANKS = /[\s\u2010\u2011-]+/g

/**
 * Dots after a letter, as in initials, but not dots of numbers; and blanks at both ends. A part of a value may begin
 * with a dot after a letter, so dots at the start go too.
 */
const DOTS_AND_ENDS = /^(?: |\.+(?![\p{N}.]))+|(?<=\p{L})\.+(?![\p{N}.])| $/gu

/** No-break blanks: of the usual width, as wide as a digit, and narrow. */
const NO_BREAK = /[\u00a0\u2007\u202f]/g

/** Invisible characters, such as zero-width blanks, soft hyphens and direction marks. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/** Invisible characters, and emoji: some invisible characters join the parts of an emoji. */
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

/** The text without control characters and lone surrogates, at most so long, as names of sources are stored. */
export const plainText = (text: string, most: number): string =>
  text
    .slice(0, most)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\ufffd')

function foldLetters(text: string): string {
  // Nearly all texts are ASCII, without accents and combining marks.
  if (/^[ -~]*$/.test(text)) return text.toLowerCase()
  return (
    text
      .replace(INVISIBLE, '')
      .normalize('NFD')
      .toLowerCase()
      // Lower-casing gives a capital dotted I a mark, so marks go last. A final sigma counts as a sigma.
      .replace(/\p{M}+/gu, '')
      .replaceAll('ς', 'σ')
      .replace(/[\0\p{Cs}]/gu, '\ufffd')
  )
}

/** Characters of a text that are compared: a longer text is hardly a misspelt name. */
const LONGEST_WANTED = 100

/** Returns the candidate with the fewest slips, or undefined if every candidate has more than one slip in three letters. */
export const nearest = (text: string, candidates: Iterable<string>): string | undefined =>
  nearestOf(candidates)(text)

/** The same for many texts. */
export function nearestOf(candidates: Iterable<string>): (text: string) => string | undefined {
  const known = Array.from(candidates, name => ({ name, lower: name.toLowerCase() }))
  return text => {
    const wanted = text.slice(0, LONGEST_WANTED).toLowerCase()
    let best: string | undefined
    let fewest = Number.POSITIVE_INFINITY
    for (const { name, lower } of known) {
      const most = Math.max(lower.length, wanted.length) / 3
      // At least this many letters are added or removed.
      const added = Math.abs(lower.length - wanted.length)
      if (added >= fewest || added > most) continue
      const found = slips(wanted, lower)
      if (found < fewest && found <= most) {
        best = name
        fewest = found
      }
    }
    return best
  }
}

/** Returns the hint that `say` makes of the nearest candidate, or "" if no candidate is near. */
export function suggestion(
  text: string,
  candidates: Iterable<string>,
  say: (meant: string) => string,
): string {
  const meant = nearest(text, candidates)
  return meant === undefined ? '' : say(meant)
}

/** Counts the letters to add, remove or replace; two swapped letters are one slip. */
function slips(one: string, other: string): number {
  const away = distance(one, other)
  return away === 2 && sortedLetters(one) === sortedLetters(other) ? 1 : away
}

const sortedLetters = (text: string) => [...text].sort().join('')

/**
 * Returns the longest candidate that abbreviates the text, else the nearest candidate. The letters of an abbreviation
 * occur in the text in the same order, begin with its first letter, and are at least a third of the text.
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

/** A copy of a part of a text: a slice would keep the whole text in memory. */
export const ownText = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')

/** The first characters of a text, as a string of its own. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : ownText(text.slice(0, length))

/** The first items of a list, and the number of all items. */
export interface Listed<T> {
  readonly count: number
  readonly first: readonly T[]
}

const LISTED = 20

/** Lists the first items and counts all items. */
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

/** The start of text that a spreadsheet would run as a formula, with or without apostrophes before it. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/

/** Makes text safe for spreadsheets: adds an apostrophe before a possible formula, and leaves other text unchanged. */
export const guardFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** Reverses {@link guardFormula}. */
export const unguardFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
