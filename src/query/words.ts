import { fold } from '../values/text.ts'

/**
 * The words of a text, folded: runs of letters and digits. A word that is part of another word is left out, since a text with
 * the longer word also contains the shorter one.
 */
export function wordsOf(text: string): string[] {
  const words = [...new Set(fold(text).split(/[^\p{L}\p{N}]+/u))]
  return words.filter(word => word !== '' && !words.some(other => other !== word && other.includes(word)))
}
