import { fold } from '../../../values/fold.ts'
import { escapeText } from '../../encoding/escape-text.ts'
import type { Dictionary } from '../cells.ts'

/** A word of a column as it is kept. */
export interface DictionaryEntry {
  readonly code: number
  readonly value: string
  readonly folded: string
  /** Its place in the order of UTF-16 code units. */
  readonly rank: number
  /** The piece that it is in. */
  readonly piece: number
}

/** Texts of so many words fit into a page of any engine, and are neither packed nor put elsewhere. */
const WORDS_A_PIECE = 48

/**
 * The words of a column in the order of their folded texts, in which those that share a part are near each other
 * mostly, and the pieces that hold these texts: whoever looks for a part looks in the pieces first.
 */
export function dictionaryEntries(codes: Dictionary): { words: DictionaryEntry[]; pieces: string[] } {
  const sorted = [...codes]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([word, code], rank) => ({ code, value: escapeText(word), folded: fold(word), rank }))
    .sort((one, other) => (one.folded < other.folded ? -1 : one.folded > other.folded ? 1 : 0))
  const pieces: string[] = []
  for (let start = 0; start < sorted.length; start += WORDS_A_PIECE)
    pieces.push(pieceText(sorted.slice(start, start + WORDS_A_PIECE).map(({ folded }) => folded)))
  const words = sorted.map((word, index) => ({ ...word, piece: Math.floor(index / WORDS_A_PIECE) }))
  return { words, pieces }
}

/** The text of the piece that has these words. A whole word, so written, is in the pieces that have it. */
export const pieceText = (folded: readonly string[]): string => `\n${folded.join('\n')}\n`
