import { fold } from '../../../values/text.ts'
import { escapeText } from '../../encoding/escape-text.ts'
import type { Dictionary } from '../cells.ts'

/** A value of a column's dictionary as it is stored. */
export interface DictionaryEntry {
  readonly code: number
  readonly value: string
  readonly folded: string
  /** Its rank in the order of UTF-16 code units. */
  readonly rank: number
  /** The block that holds it. */
  readonly block: number
}

/** A block of this many values fits into a page of any engine, neither compressed nor moved out of line. */
const WORDS_A_BLOCK = 48

/**
 * The dictionary of a column in the order of the folded texts, which mostly puts values with common substrings side by
 * side, and the blocks of these texts, which a substring search reads first.
 */
export function dictionaryEntries(codes: Dictionary): { words: DictionaryEntry[]; blocks: string[] } {
  const sorted = [...codes]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([word, code], rank) => ({ code, value: escapeText(word), folded: fold(word), rank }))
    .sort((one, other) => (one.folded < other.folded ? -1 : one.folded > other.folded ? 1 : 0))
  const blocks: string[] = []
  for (let start = 0; start < sorted.length; start += WORDS_A_BLOCK)
    blocks.push(blockText(sorted.slice(start, start + WORDS_A_BLOCK).map(({ folded }) => folded)))
  const words = sorted.map((word, index) => ({ ...word, block: Math.floor(index / WORDS_A_BLOCK) }))
  return { words, blocks }
}

/** The text of a block. A text formatted so finds the blocks that hold it as a whole value. */
export const blockText = (folded: readonly string[]): string => `\n${folded.join('\n')}\n`
