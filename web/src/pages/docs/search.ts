/** What can be found: a page, or a part of one. */
export interface Entry {
  /** Its address with its anchor. */
  readonly path: string
  readonly section: string
  readonly title: string
  /** The heading of the part; empty for a page. */
  readonly heading: string
  /** The first sentence of a page; empty for a part. */
  readonly summary: string
  /** Every word of its text once, separated by blanks. */
  readonly words: string
}

const MAX_RESULTS = 20
const MAX_TERMS = 8
/** More than a term can score: reasons come after what they are reasons for. */
const DECISIONS_BEHIND = 20

/** Finds the entries that have every word of a question, or one that begins with it; best first. */
export function search(entries: readonly Entry[], question: string): readonly Entry[] {
  const terms = (question.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? []).slice(0, MAX_TERMS)
  if (terms.length === 0) return []
  return entries
    .map(entry => ({ entry, score: scoreOf(entry, terms) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_RESULTS)
    .map(({ entry }) => entry)
}

/** Zero unless each term is found. Titles say more than headings, and these more than text; decisions are read last. */
function scoreOf({ title, heading, words, section }: Entry, terms: readonly string[]): number {
  const named = heading === '' ? title : heading
  let score = section === 'decisions' ? 0 : DECISIONS_BEHIND
  for (const term of terms) {
    const inTitle = startsIn(title, term)
    const inHeading = startsIn(named, term)
    const inText = startsIn(words, term)
    if (!inTitle && !inHeading && !inText) return 0
    score += (inHeading ? 6 : 0) + (inTitle ? 3 : 0) + (inText ? 1 : 0)
  }
  return score
}

const startsIn = (text: string, term: string): boolean => {
  const lower = ` ${text.toLowerCase()}`
  for (let at = lower.indexOf(term); at !== -1; at = lower.indexOf(term, at + 1))
    if (!/[\p{L}\p{N}]/u.test(lower[at - 1] ?? ' ')) return true
  return false
}
