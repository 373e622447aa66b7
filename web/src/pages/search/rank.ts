import { fold } from '../../words/fold.ts'

/**
 * The rank of a name for a question: 0 for the whole name, then the start of the name, the start of a word, the question's words
 * anywhere in the name, and at last words that are only in the further text. Undefined if a word is in neither.
 */
function rankOf(question: string, name: string, further: string): number | undefined {
  const asked = fold(question)
  const words = asked.split(' ')
  const key = fold(name)
  const all = `${key} ${fold(further)}`
  if (asked === '' || !words.every(word => all.includes(word))) return undefined
  if (key === asked) return 0
  if (key.startsWith(asked)) return 1
  if (` ${key}`.includes(` ${asked}`)) return 2
  return words.every(word => key.includes(word)) ? 3 : 4
}

/** The items that match a question, best first. Equal matches keep their order. */
export const bestFirst = <Item>(
  question: string,
  items: readonly Item[],
  textsOf: (item: Item) => { readonly name: string; readonly further: string },
): readonly Item[] =>
  items
    .flatMap(item => {
      const { name, further } = textsOf(item)
      const rank = rankOf(question, name, further)
      return rank === undefined ? [] : [{ item, rank }]
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item)
