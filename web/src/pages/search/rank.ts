import { fold } from '../../words/fold.ts'

/**
 * The rank of a name for a question: 0 for the whole name, then the start of the name, the start of a word, the question's words
 * anywhere in the name, and at last words that are only in the further text. Undefined if a word is in neither.
 */
function rankOf(asked: string, name: string, further: string): number | undefined {
  const words = asked.split(' ')
  const key = fold(name)
  if (asked === '' || !words.every(word => `${key} ${fold(further)}`.includes(word))) return undefined
  if (key.startsWith(asked)) return key === asked ? 0 : 1
  if (key.includes(` ${asked}`)) return 2
  return words.every(word => key.includes(word)) ? 3 : 4
}

/** The items with a match in their name or further text, best first. Equal matches keep their order. */
export const bestFirst = <Item>(
  question: string,
  items: readonly Item[],
  textsOf: (item: Item) => readonly [name: string, further: string],
): readonly Item[] =>
  items
    .map(item => ({ item, rank: rankOf(fold(question), ...textsOf(item)) ?? -1 }))
    .filter(({ rank }) => rank >= 0)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item)
